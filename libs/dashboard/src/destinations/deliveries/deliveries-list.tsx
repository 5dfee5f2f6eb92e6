import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { Countdown } from '../../frame/deliveries/countdown.js';
import { DeliveryStatusBadge } from '../../frame/deliveries/delivery-status.js';
import { Badge } from '../../ui/badge.js';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { type Delivery, deliveriesQuery, type DeliveryFilter } from './deliveries.queries.js';

interface DeliveriesListProps {
  projectId: string;
  destinationId: string;
  filter: DeliveryFilter;
  openId: string | undefined;
  onOpen: (delivery: Delivery) => void;
  onClearFilters: () => void;
}

/** Deliveries to a destination, newest first, with the reason of those that are not sent. */
export function DeliveriesList(props: DeliveriesListProps) {
  const { projectId, destinationId, filter, openId, onOpen, onClearFilters } = props;
  const query = deliveriesQuery(projectId, destinationId, filter);
  const list = useInfiniteQuery(query);
  const isNarrow = openId !== undefined;
  return (
    <QueryList
      label="Deliveries"
      query={list}
      queryKey={query.queryKey}
      things="deliveries"
      filtered={Object.values(filter).some((value) => value !== undefined)}
      onClearFilters={onClearFilters}
      empty={{ sentence: 'Nothing has happened since the start.', docs: docsOf('Destination deliveries') }}
      rowKey={({ id }) => id}
      selectedKey={openId}
      onOpen={onOpen}
      columns={[
        {
          id: 'type',
          header: 'Event',
          cell: ({ event_type: type, replay }) => (
            <span className="flex min-w-0 items-center gap-2">
              <DataText truncate>{type}</DataText>
              {replay && <span className="text-xs text-muted">Replay</span>}
            </span>
          ),
          width: 'minmax(6rem, 1.2fr)',
          priority: 1,
        },
        {
          id: 'customer',
          header: 'Customer',
          cell: ({ app_user_id: id }) => (
            <DataText mono truncate>
              {id}
            </DataText>
          ),
          priority: 2,
        },
        {
          id: 'status',
          header: 'Status',
          cell: ({ status }) => <DeliveryStatusBadge status={status} />,
          width: '6.5rem',
          priority: 1,
        },
        {
          id: 'reason',
          header: 'Reason',
          cell: (delivery) => <Reason delivery={delivery} />,
          width: isNarrow ? 'minmax(0, 1fr)' : 'minmax(0, 2.4fr)',
          priority: isNarrow ? 3 : 2,
        },
        {
          id: 'attempts',
          header: 'Attempts',
          cell: ({ attempts }) => <Num value={attempts} />,
          align: 'end',
          width: '5rem',
          priority: 3,
        },
        {
          id: 'created',
          header: 'Time',
          cell: ({ created_at: ms }) => <Time ms={ms} />,
          width: '9rem',
          priority: 2,
        },
      ]}
    />
  );
}

function Reason({ delivery }: { delivery: Delivery }) {
  const { reason_text: text, may_be_repeated: mayBeRepeated, status, attempts } = delivery;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      {mayBeRepeated && <Badge tone="warn">May have been received twice</Badge>}
      {text !== null ? (
        <DataText truncate>{text}</DataText>
      ) : (
        status === 'pending' && attempts > 0 && <Countdown delivery={delivery} />
      )}
    </span>
  );
}
