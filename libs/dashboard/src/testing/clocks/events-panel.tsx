import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { type ClockEvent, clockEventsQuery, type TestClock } from './test-clocks.queries.js';

const columns: Column<ClockEvent>[] = [
  {
    id: 'type',
    header: 'Event',
    priority: 1,
    cell: ({ type }) => <DataText truncate>{type}</DataText>,
  },
  {
    id: 'customer',
    header: 'Customer',
    priority: 2,
    cell: ({ app_user_id: id }) => (
      <DataText mono truncate>
        {id}
      </DataText>
    ),
  },
  {
    id: 'time',
    header: 'Time of the clock',
    width: '11.5rem',
    priority: 1,
    cell: ({ occurred_at: ms }) => <Time ms={ms} show="full" />,
  },
];

/** Events of the clock's customers; grows while the clock advances. */
export function EventsPanel({ clock, projectId }: { clock: TestClock; projectId: string }) {
  const isAdvancing = clock.status === 'advancing';
  const query = clockEventsQuery(projectId, clock.id, isAdvancing);
  const events = useInfiniteQuery(query);
  const { refetch } = events;
  const wasAdvancing = useRef(isAdvancing);
  useEffect(() => {
    // The last events arrive after the last poll.
    if (wasAdvancing.current && !isAdvancing) void refetch();
    wasAdvancing.current = isAdvancing;
  }, [isAdvancing, refetch]);
  return (
    <Panel title="Events of its customers" padded={false}>
      <QueryList
        label="Events of its customers"
        things="events"
        query={events}
        queryKey={query.queryKey}
        columns={columns}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/projects/${projectId}/events?event=${encodeURIComponent(id)}`}
        empty={{
          sentence: 'Events of the customers on this clock appear here.',
        }}
      />
    </Panel>
  );
}
