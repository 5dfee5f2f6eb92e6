import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { IconButton } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { TextField } from '../../ui/forms/text-field.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { identitiesQuery, type Identity, useDeleteIdentity } from './sign-in.queries.js';

interface IdentitiesPanelProps {
  projectId: string;
  appUserId: string | undefined;
  onFind: (appUserId: string | undefined) => void;
}

function UnlinkDialog({
  identity,
  projectId,
  onClose,
}: {
  identity: Identity;
  projectId: string;
  onClose: () => void;
}) {
  const subject = visibleText(identity.subject);
  return (
    <ConfirmCall
      danger
      title={`Disconnect ${subject}?`}
      effect="They are signed out. The next sign-in connects them again. The customer and purchases stay."
      confirmLabel="Disconnect"
      write={useDeleteIdentity(projectId)}
      input={identity}
      done={`Disconnected ${subject}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/auth/identities/{provider_id}/{subject}',
        path: { project_id: projectId, provider_id: identity.provider_id, subject: identity.subject },
      }}
      onClose={onClose}
    />
  );
}

export function IdentitiesPanel({ projectId, appUserId, onFind }: IdentitiesPanelProps) {
  const identities = useInfiniteQuery(identitiesQuery(projectId, appUserId));
  const may = useMay('deleteAuthIdentity');
  const [unlinked, setUnlinked] = useState<Identity | null>(null);
  const columns: Column<Identity>[] = [
    {
      id: 'subject',
      header: 'Subject',
      priority: 1,
      cell: ({ subject }) => <DataText mono>{subject}</DataText>,
    },
    {
      id: 'app_user_id',
      header: 'App user id',
      cell: ({ app_user_id: id }) => (
        <Link
          to="/projects/$projectId/customer"
          params={{ projectId }}
          search={{ id }}
          className="inline-flex min-h-6 items-center"
        >
          <DataText mono>{id}</DataText>
        </Link>
      ),
    },
    {
      id: 'logins',
      header: 'Sign-ins',
      width: '6rem',
      align: 'end',
      priority: 3,
      cell: ({ logins }) => <Num value={logins} />,
    },
    {
      id: 'last',
      header: 'Last',
      width: '9rem',
      cell: ({ last_login_at: at }) => <Time ms={at} />,
    },
    {
      id: 'unlink',
      header: <span className="sr-only">Disconnect</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (identity) => (
        <IconButton
          icon="x"
          size="sm"
          label={`Disconnect ${visibleText(identity.subject)}`}
          disabledReason={may.reason}
          onClick={() => setUnlinked(identity)}
        />
      ),
    },
  ];
  return (
    <>
      <form
        role="search"
        aria-label="Filters"
        className="mb-4 flex max-w-sm items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const id = new FormData(event.currentTarget).get('id');
          onFind(typeof id === 'string' && id !== '' ? id : undefined);
        }}
      >
        <TextField
          key={appUserId}
          className="grow"
          label="App user id"
          name="id"
          mono
          autoComplete="off"
          defaultValue={appUserId ?? ''}
        />
      </form>
      <Panel padded={false}>
        <QueryList
          label="Customers"
          things="customers"
          query={identities}
          queryKey={identitiesQuery(projectId, appUserId).queryKey}
          columns={columns}
          rowKey={({ provider_id: provider, subject }) => `${provider} ${subject}`}
          filtered={appUserId !== undefined}
          onClearFilters={() => onFind(undefined)}
          empty={{
            sentence: 'Customers appear here when they have signed in.',
            docs: docsOf('Customer sign-in'),
          }}
        />
      </Panel>
      {unlinked && (
        <UnlinkDialog projectId={projectId} identity={unlinked} onClose={() => setUnlinked(null)} />
      )}
    </>
  );
}
