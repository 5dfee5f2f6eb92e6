import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Schema } from '../api/types.js';
import { Badge } from '../ui/badge.js';
import { CopyId } from '../ui/text/copy-id.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Time } from '../ui/format/time.js';
import { useCustomer } from './customer-context.js';
import { aliasesQuery, customerQuery } from './customers.queries.js';

/** All ids of the customer. */
export function AliasesTab() {
  const { projectId, id } = useCustomer();
  const { data: customer } = useQuery(customerQuery(projectId, id));
  const options = aliasesQuery(projectId, id);
  const query = useInfiniteQuery(options);
  const columns: Column<Schema<'CustomerAliasDto'>>[] = [
    {
      id: 'id',
      header: 'App user id',
      cell: (alias) => (
        <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-1.5">
          <CopyId id={alias.id} />
          {alias.id === customer?.id && <Badge>original</Badge>}
          {alias.id.startsWith('$RCAnonymousID:') && <Badge>anonymous</Badge>}
        </span>
      ),
    },
    {
      id: 'since',
      header: 'Known since',
      width: '12rem',
      cell: (alias) => <Time ms={alias.created_at} show="full" />,
    },
  ];
  return (
    <QueryList
      label="Aliases"
      query={query}
      queryKey={options.queryKey}
      things="aliases"
      columns={columns}
      rowKey={(alias) => alias.id}
      empty={{ sentence: 'Aliases' }}
    />
  );
}
