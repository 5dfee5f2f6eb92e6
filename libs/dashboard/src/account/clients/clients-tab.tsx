import { useInfiniteQuery } from '@tanstack/react-query';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/format/time.js';
import { clientList, type ConnectedClient, useDisconnect } from '../account.queries.js';
import { text } from '../account.text.js';
import { EndableList } from '../endable-list.js';
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
  return (
    <Panel title={text.clients} description={text.clientsSentence} padded={false}>
      <EndableList
        label={text.clients}
        query={clients}
        queryKey={clientList.queryKey}
        things="clients"
        empty={{ sentence: text.noClients }}
        columnsOf={columnsOf}
        useEnd={useDisconnect}
        texts={{ title: text.disconnectTitle, confirm: text.disconnect, done: text.disconnected }}
        sentence={({ id, client_name, project_name }) => (
          <>
            <p className="mb-3">{text.disconnectSentence(client_name, project_name)}</p>
            <ShowCall operation="DELETE /auth/oauth_tokens/{grant_id}" path={{ grant_id: id }} />
          </>
        )}
      />
    </Panel>
  );
}
