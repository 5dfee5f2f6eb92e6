import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/format/time.js';
import { clientList, type ConnectedClient, useDisconnect } from '../account.queries.js';
import { EndableList } from '../endable-list.js';
import { accessWords } from './access-words.js';

const columnsOf = (onEnd: (client: ConnectedClient) => void): Column<ConnectedClient>[] => [
  {
    id: 'client',
    header: 'Client',
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
    header: 'Project',
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
    header: 'Last used',
    label: 'Last used',
    width: '6.5rem',
    cell: (client) => (client.last_used_at === null ? '—' : <Time ms={client.last_used_at} />),
  },
  {
    id: 'since',
    header: 'Since',
    label: 'Since',
    width: '6.5rem',
    cell: (client) => <Time ms={client.created_at} show="date" />,
  },
  {
    id: 'end',
    header: <span className="sr-only">Disconnect</span>,
    width: '7rem',
    align: 'end',
    priority: 1,
    cell: (client) => (
      <Button
        size="sm"
        aria-label={`Disconnect ${client.client_name} from ${client.project_name}`}
        onClick={() => onEnd(client)}
      >
        Disconnect
      </Button>
    ),
  },
];

export function ClientsTab() {
  const clients = useInfiniteQuery(clientList);
  const disconnect = useDisconnect();
  return (
    <Panel
      title="Connected clients"
      description="Apps that you connected to a project, such as MCP clients. They can never do more than your own role."
      padded={false}
    >
      <EndableList
        label="Connected clients"
        query={clients}
        queryKey={clientList.queryKey}
        things="clients"
        empty={{ sentence: 'No connected apps.' }}
        columnsOf={columnsOf}
        end={disconnect}
        texts={{
          title: 'Disconnect this client?',
          confirm: 'Disconnect',
          done: 'The client is disconnected',
        }}
        effect={({ client_name, project_name }) =>
          `${client_name} loses access to ${project_name} at once. To use it again, connect it again.`
        }
        call={({ id }) => ({ operation: 'DELETE /auth/oauth_tokens/{grant_id}', path: { grant_id: id } })}
      />
    </Panel>
  );
}
