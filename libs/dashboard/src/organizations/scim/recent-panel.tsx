import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { actionWords } from '../audit/action-words.js';
import { recentQuery } from './scim.queries.js';

/** The provider's latest changes. */
export function RecentPanel({ orgId }: { orgId: string }) {
  const query = recentQuery(orgId);
  const recent = useQuery(query);
  return (
    <Panel
      title="Recent changes by the provider"
      padded={false}
      actions={
        <Link to="/organizations/$orgId/audit" params={{ orgId }}>
          Open the audit log
        </Link>
      }
    >
      <QueryPanel query={recent} queryKey={query.queryKey}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState sentence="The provider has changed nothing yet." />
          ) : (
            <DataList
              label="Recent changes by the provider"
              rows={entries}
              rowKey={({ id }) => id}
              columns={[
                {
                  id: 'action',
                  header: 'Change',
                  priority: 1,
                  cell: ({ action }) => actionWords(action),
                },
                {
                  id: 'target',
                  header: 'Object',
                  cell: ({ target }) => (
                    <DataText mono truncate>
                      {target.id}
                    </DataText>
                  ),
                },
                {
                  id: 'time',
                  header: 'Time',
                  width: '9rem',
                  align: 'end',
                  cell: (entry) => <Time ms={entry.occurred_at} />,
                },
              ]}
            />
          )
        }
      </QueryPanel>
    </Panel>
  );
}
