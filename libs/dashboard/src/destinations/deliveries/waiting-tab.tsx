import { useQuery } from '@tanstack/react-query';
import { CappedCount } from '../../frame/deliveries/state-counts.js';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { DataList } from '../../ui/lists/data-list.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Panel } from '../../ui/panel.js';
import { DataText } from '../../ui/text/data-text.js';
import { waitingQuery } from './deliveries.queries.js';
import { waitingGroups } from './waiting-groups.js';

interface WaitingTabProps {
  projectId: string;
  destinationId: string;
  /** Number of all waiting deliveries. */
  waiting: number | undefined;
}

/** Deliveries that wait for an id of their customer, by the missing attribute. */
export function WaitingTab({ projectId, destinationId, waiting = 0 }: WaitingTabProps) {
  const query = waitingQuery(projectId, destinationId);
  const deliveries = useQuery(query);
  return (
    <Panel padded={false}>
      <QueryPanel query={deliveries} queryKey={query.queryKey}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState sentence="Nothing waits for an id." />
          ) : (
            <>
              <p className="border-b border-line px-4 py-2.5">
                Each event is sent as soon as its customer has the attribute, or skipped when its wait ends.{' '}
                {rows.length < waiting && (
                  <>
                    Of <CappedCount value={waiting} />, these are the newest <Num value={rows.length} />.
                  </>
                )}
              </p>
              <DataList
                label="Waiting"
                rows={waitingGroups(rows)}
                rowKey={({ attributes }) => attributes.join(' ')}
                rowHref={() => `/projects/${projectId}/integrations/${destinationId}?status=waiting`}
                columns={[
                  {
                    id: 'attribute',
                    header: 'Missing attribute',
                    cell: ({ attributes }) => <DataText mono>{attributes.join(' or ')}</DataText>,
                    width: 'minmax(10rem, 2fr)',
                    priority: 1,
                  },
                  {
                    id: 'count',
                    header: 'Deliveries',
                    cell: ({ count }) => <Num value={count} />,
                    align: 'end',
                    width: '6rem',
                    priority: 1,
                  },
                  {
                    id: 'oldest',
                    header: 'Oldest',
                    label: 'Oldest',
                    cell: ({ oldestMs }) => <Time ms={oldestMs} />,
                    width: '9rem',
                    priority: 2,
                  },
                  {
                    id: 'until',
                    header: 'First ends',
                    label: 'First ends',
                    cell: ({ untilMs }) => <Time ms={untilMs} show="full" />,
                    width: '11rem',
                    priority: 2,
                  },
                ]}
              />
            </>
          )
        }
      </QueryPanel>
    </Panel>
  );
}
