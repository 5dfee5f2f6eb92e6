import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/permissions.js';
import { storeName } from '../../api/words.js';
import { EventDeliveries } from '../../frame/event-deliveries/event-deliveries.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { JsonView } from '../../ui/text/json-view.js';
import { KeyValues } from '../../ui/key-values.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { explanationQuery } from '../customers.queries.js';
import type { TimelineEvent } from './days-of-events.js';
import { OwnershipChange } from '../purchases/ownership-change.js';

/** The ownership changes of a transfer, each with the request that caused it. */
function TransferRequests({ event }: { event: TimelineEvent }) {
  const { projectId, id } = useCustomer();
  const mayRead = useMay('explainCustomerAccess').allowed;
  const { data } = useQuery({ ...explanationQuery(projectId, id), enabled: mayRead });
  const changes = (data?.purchases ?? [])
    .flatMap(({ ownership_history: { items } }) => items)
    .filter(({ occurred_at: at }) => at === event.occurred_at);
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Ownership history" className="flex flex-col gap-2">
      {changes.map((change) => (
        <li key={change.id}>
          <OwnershipChange change={change} withRequest />
        </li>
      ))}
    </ul>
  );
}

/** Details of an event: the store's time, the time of recording, and its body. */
export function TimelineEventDetail({ event }: { event: TimelineEvent }) {
  const { projectId } = useCustomer();
  const mayDeliveries = useMay('listEventDeliveries').allowed;
  const {
    sequence,
    transaction_id: transaction,
    store,
    refund_request_id: refundRequestId,
  } = event.body as Record<string, unknown>;
  const mayRefunds = useMay('getRefundRequest').allowed;
  const items: [string, ReactNode][] = [
    ['Type', <code key="type">{event.type}</code>],
    ['At the store', <Time key="occurred" ms={event.occurred_at} show="full" />],
    ['Recorded', <Time key="recorded" ms={event.created_at} show="full" />],
    ['Event id', <CopyId key="id" id={event.id} />],
  ];
  if (typeof sequence === 'number') items.push(['Sequence', String(sequence)]);
  if (typeof store === 'string') items.push(['Store', storeName(store)]);
  if (typeof transaction === 'string')
    items.push(['Transaction', <CopyId key="transaction" id={transaction} />]);
  return (
    <div className="flex flex-col gap-3">
      <KeyValues items={items} />
      {event.type === 'TRANSFER' && <TransferRequests event={event} />}
      {mayRefunds && typeof refundRequestId === 'string' && (
        <Link
          to="/projects/$projectId/refunds/$refundRequestId"
          params={{ projectId, refundRequestId }}
          className="self-start"
        >
          View the refund request and its answer
        </Link>
      )}
      {mayDeliveries && <EventDeliveries projectId={projectId} eventId={event.id} />}
      <Link
        to="/projects/$projectId/events"
        params={{ projectId }}
        search={{ event: event.id }}
        className="self-start"
      >
        View in the list of events
      </Link>
      <JsonView label="Event body" value={event.body} />
    </div>
  );
}
