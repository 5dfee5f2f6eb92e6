import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import type { Column } from '../../ui/data-list.js';
import { DataText } from '../../ui/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/query-list.js';
import { Time } from '../../ui/time.js';
import { useToast } from '../../ui/toast.js';
import { clientList, type ConnectedClient, useDisconnect } from '../account.queries.js';
import { text } from '../account.text.js';
import { accessWords } from './access-words.js';

const columnsOf = (onEnd: (client: ConnectedClient) => void): Column<ConnectedClient>[] => [
  {
    id: 'client',
    header: text.clientColumns.client,
    width: 'minmax(0, 2fr)',
    cell: (client) => (
      <span className="flex min-w-0 flex-col">
        <DataText truncate>{client.client_name}</DataText>
        <span className="text-muted">
          <DataText truncate>{client.client_host}</DataText>
        </span>
      </span>
    ),
  },
  {
    id: 'project',
    header: text.clientColumns.project,
    width: 'minmax(0, 2fr)',
    cell: (client) => (
      <span className="flex min-w-0 flex-col">
        <DataText truncate>{client.project_name}</DataText>
        <span className="text-muted truncate">{accessWords(client)}</span>
      </span>
    ),
  },
  {
    id: 'used',
    header: text.clientColumns.used,
    label: text.clientColumns.used,
    width: '6.5rem',
    cell: (client) => (client.last_used_at === null ? '—' : <Time ms={client.last_used_at} />),
  },
  {
    id: 'since',
    header: text.clientColumns.since,
    label: text.clientColumns.since,
    width: '6.5rem',
    cell: (client) => <Time ms={client.created_at} show="date" />,
  },
  {
    id: 'end',
    header: <span className="sr-only">{text.disconnect}</span>,
    width: '7rem',
    align: 'end',
    priority: 1,
    cell: (client) => (
      <Button
        size="sm"
        aria-label={text.disconnectNamed(client.client_name, client.project_name)}
        onClick={() => onEnd(client)}
      >
        {text.disconnect}
      </Button>
    ),
  },
];

export function ClientsTab() {
  const clients = useInfiniteQuery(clientList);
  const [ending, setEnding] = useState<ConnectedClient | null>(null);
  const toast = useToast();
  const end = useDisconnect(() => {
    setEnding(null);
    toast({ title: text.disconnected });
  });
  return (
    <Panel title={text.clients} description={text.clientsSentence} padded={false}>
      <QueryList
        label={text.clients}
        query={clients}
        queryKey={clientList.queryKey}
        things="clients"
        empty={{ sentence: text.noClients }}
        rowKey={({ id }) => id}
        columns={columnsOf(setEnding)}
      />
      <ConfirmDialog
        open={ending !== null}
        title={text.disconnectTitle}
        confirmLabel={text.disconnect}
        danger
        busy={end.isPending}
        error={end.error?.message}
        onClose={() => {
          setEnding(null);
          end.reset();
        }}
        onConfirm={() => ending && end.mutate(ending.id)}
      >
        {ending && text.disconnectSentence(ending.client_name, ending.project_name)}
      </ConfirmDialog>
    </Panel>
  );
}
