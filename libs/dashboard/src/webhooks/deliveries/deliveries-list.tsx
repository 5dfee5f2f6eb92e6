import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { SoldProduct } from '../../frame/names/product-name.js';
import { DataText } from '../../ui/text/data-text.js';
import { Money, Num } from '../../ui/format/money.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { Countdown } from '../../frame/deliveries/countdown.js';
import { DeliveryStatusBadge } from '../../frame/deliveries/delivery-status.js';
import { type Delivery, deliveriesQuery, type DeliveryFilter } from '../webhooks.queries.js';

interface DeliveriesListProps {
  projectId: string;
  webhookId: string;
  filter: DeliveryFilter;
  openId: string | undefined;
  onOpen: (delivery: Delivery) => void;
  onClearFilters: () => void;
}

/** Deliveries to an endpoint, newest first. */
export function DeliveriesList(props: DeliveriesListProps) {
  const { projectId, webhookId, filter, openId, onOpen, onClearFilters } = props;
  const query = deliveriesQuery(projectId, webhookId, filter);
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
      empty={{
        sentence: 'Nothing has been sent yet. Send a test event to see what arrives.',
        docs: docsOf('Webhook deliveries'),
      }}
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
          width: 'minmax(6rem, 1.4fr)',
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
        ...(isNarrow
          ? []
          : [
              {
                id: 'product',
                header: 'Product',
                cell: ({ product_id: id }: Delivery) => <SoldProduct projectId={projectId} identifier={id} />,
                width: 'minmax(0, 1.3fr)',
                priority: 2 as const,
              },
              {
                id: 'amount',
                header: 'Amount',
                cell: ({ price_in_purchased_currency: price, currency }: Delivery) => (
                  <Money amount={price || null} currency={currency} />
                ),
                align: 'end' as const,
                width: '6rem',
                priority: 3 as const,
              },
            ]),
        {
          id: 'status',
          header: 'Status',
          cell: ({ status }) => <DeliveryStatusBadge status={status} />,
          width: '6.5rem',
          priority: 1,
        },
        {
          id: 'answer',
          header: 'Response',
          cell: (delivery) => <Response delivery={delivery} />,
          width: isNarrow ? '6rem' : 'minmax(0, 1fr)',
          priority: 3,
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
          id: 'next',
          header: 'Next attempt',
          cell: (delivery) => <Countdown delivery={delivery} />,
          width: '7rem',
          priority: 2,
        },
        {
          id: 'created',
          header: 'Created',
          cell: ({ created_at: ms }) => <Time ms={ms} />,
          width: '9rem',
          priority: 2,
        },
      ]}
    />
  );
}

/** The endpoint's status code; without a response, the reason. */
function Response({ delivery }: { delivery: Delivery }) {
  const { response_status: status, last_error: error, attempts } = delivery;
  if (attempts === 0) return <span className="text-muted">—</span>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {status !== null && <span className="tabular-nums">{status}</span>}
      {status === null && error !== null && (
        <DataText truncate className="text-muted">
          {error}
        </DataText>
      )}
    </span>
  );
}
