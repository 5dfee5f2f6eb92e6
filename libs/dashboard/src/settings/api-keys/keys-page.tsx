import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { knownPermissions } from '../../api/known-permissions.js';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Button, IconButton } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type ApiKey, apiKeysQuery, useRevokeApiKey } from './api-keys.queries.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { summaryOf } from './permission-choice.js';

const route = getRouteApi('/signed-in/projects/$projectId/settings/keys');

function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { projectId } = route.useParams();
  const name = visibleText(apiKey.name);
  return (
    <ConfirmCall
      danger
      title={`Revoke the key ${name}?`}
      effect={
        <>
          <p>Requests with this key are refused at once. This cannot be undone.</p>
          <p>
            {apiKey.last_used_at === null ? (
              'It has never been used.'
            ) : (
              <>
                It was last used <Time ms={apiKey.last_used_at} />.
              </>
            )}
          </p>
        </>
      }
      confirmLabel="Revoke"
      write={useRevokeApiKey(projectId)}
      input={apiKey}
      done={`Revoked ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/api_keys/{key_id}',
        path: { project_id: projectId, key_id: apiKey.id },
      }}
      onClose={onClose}
    />
  );
}

export default function KeysPage() {
  const { projectId } = route.useParams();
  const keys = useInfiniteQuery(apiKeysQuery(projectId));
  const mayCreate = useMay('createApiKey');
  const mayRevoke = useMay('deleteApiKey');
  const [open, setOpen] = useState<'create' | ApiKey | null>(null);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={mayCreate.reason} onClick={() => setOpen('create')}>
      New secret key
    </Button>
  );
  const columns: Column<ApiKey>[] = [
    {
      id: 'name',
      header: 'Name',
      priority: 1,
      width: 'minmax(6rem, 1.2fr)',
      cell: ({ name }) => <DataText>{name}</DataText>,
    },
    {
      id: 'key',
      header: 'Key',
      cell: ({ prefix }) => <code className="font-mono text-sm">{prefix}…</code>,
    },
    {
      id: 'permissions',
      header: 'Permissions',
      width: 'minmax(6rem, 1.5fr)',
      cell: ({ permissions }) => (
        <span title={permissions.join('\n')}>{summaryOf(permissions, knownPermissions)}</span>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      label: 'Last used',
      cell: ({ last_used_at: used }) => (used === null ? 'Never' : <Time ms={used} />),
    },
    { id: 'created', header: 'Created', priority: 3, cell: (key) => <Time ms={key.created_at} /> },
    {
      id: 'revoke',
      header: <span className="sr-only">Revoke</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (key) => (
        <IconButton
          icon="trash"
          size="sm"
          label={`Revoke ${visibleText(key.name)}`}
          disabledReason={mayRevoke.reason}
          onClick={() => setOpen(key)}
        />
      ),
    },
  ];
  return (
    <Page
      title="API keys"
      actions={create}
      note={`Secret keys for your backend. They work with REST API v1 and v2; never put one into an app. Apps use the public keys on their own pages.`}
    >
      <Panel padded={false}>
        <QueryList
          label="API keys"
          things="keys"
          query={keys}
          queryKey={apiKeysQuery(projectId).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          empty={{
            sentence: 'A secret key lets your backend read customers and change them.',
            action: create,
            docs: docsOf('API keys'),
          }}
        />
      </Panel>
      {open === 'create' && <CreateKeyDialog projectId={projectId} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'create' && <RevokeKeyDialog apiKey={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}
