import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { ProviderDialog } from './provider-dialog.js';
import { type Provider, providersQuery, useDeleteProvider } from './sign-in.queries.js';
import { TokenTestDialog } from './token-test-dialog.js';

type Open = { kind: 'add' } | { kind: 'edit' | 'test' | 'remove'; provider: Provider };

function RemoveDialog({
  provider,
  projectId,
  onClose,
}: {
  provider: Provider;
  projectId: string;
  onClose: () => void;
}) {
  const name = visibleText(provider.name);
  return (
    <ConfirmCall
      danger
      title={`Delete ${name}?`}
      effect="Everyone who used it is signed out, and their connection to an app user id is deleted. Customers and purchases stay."
      confirmLabel="Delete"
      write={useDeleteProvider(projectId)}
      input={provider.id}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/auth/providers/{provider_id}',
        path: { project_id: projectId, provider_id: provider.id },
      }}
      onClose={onClose}
    />
  );
}

export function ProvidersPanel({ projectId }: { projectId: string }) {
  const providers = useInfiniteQuery(providersQuery(projectId));
  const mayCreate = useMay('createAuthProvider');
  const mayUpdate = useMay('updateAuthProvider');
  const mayTest = useMay('testAuthProvider');
  const mayDelete = useMay('deleteAuthProvider');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = (
    <Button icon="plus" disabledReason={mayCreate.reason} onClick={() => setOpen({ kind: 'add' })}>
      Add a provider
    </Button>
  );
  const isEmpty = providers.data?.pages[0]?.items.length === 0;
  const columns: Column<Provider>[] = [
    { id: 'name', header: 'Name', priority: 1, cell: ({ name }) => <DataText>{name}</DataText> },
    { id: 'issuer', header: 'Issuer', cell: ({ issuer }) => <DataText mono>{issuer}</DataText> },
    {
      id: 'state',
      header: 'State',
      width: '6rem',
      priority: 1,
      cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Badge>,
    },
    {
      id: 'actions',
      header: <span className="sr-only">Edit</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (provider) => (
        <Menu
          iconOnly
          size="sm"
          variant="ghost"
          label={`Edit ${visibleText(provider.name)}`}
          items={[
            {
              label: 'Edit',
              icon: 'edit',
              disabledReason: mayUpdate.reason,
              onSelect: () => setOpen({ kind: 'edit', provider }),
            },
            {
              label: 'Test a token',
              icon: 'flask',
              disabledReason: mayTest.reason,
              onSelect: () => setOpen({ kind: 'test', provider }),
            },
            {
              label: 'Delete',
              icon: 'trash',
              danger: true,
              disabledReason: mayDelete.reason,
              onSelect: () => setOpen({ kind: 'remove', provider }),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <Panel title="Providers" actions={!isEmpty && add} padded={false}>
      <QueryList
        label="Providers"
        things="providers"
        query={providers}
        queryKey={providersQuery(projectId).queryKey}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          sentence: 'Add Firebase or any OpenID Connect provider that your customers sign in with.',
          action: add,
          docs: docsOf('Customer sign-in'),
        }}
      />
      {open?.kind === 'add' && <ProviderDialog projectId={projectId} provider={null} onClose={close} />}
      {open?.kind === 'edit' && (
        <ProviderDialog projectId={projectId} provider={open.provider} onClose={close} />
      )}
      {open?.kind === 'test' && (
        <TokenTestDialog projectId={projectId} provider={open.provider} onClose={close} />
      )}
      {open?.kind === 'remove' && (
        <RemoveDialog projectId={projectId} provider={open.provider} onClose={close} />
      )}
    </Panel>
  );
}
