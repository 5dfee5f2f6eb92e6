import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../ui/badge.js';
import { DataText } from '../ui/text/data-text.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatDuration } from '../ui/format/period.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Time } from '../ui/format/time.js';
import { type EventDelivery, eventDeliveriesQuery } from './event-deliveries.queries.js';

const text = {
  deliveries: 'Webhooks',
  noDeliveries: 'No webhook received this event.',
  replayed: 'Replay',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  answer: (status: number) => `answer ${status}`,
  next: 'next attempt',
  statuses: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' } satisfies Record<
    EventDelivery['delivery']['status'],
    string
  >,
};

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

/** Deliveries of an event to webhooks. */
export function EventDeliveries({ projectId, eventId }: { projectId: string; eventId: string }) {
  const query = eventDeliveriesQuery(projectId, eventId);
  const deliveries = useQuery(query);
  return (
    <section>
      <h3 className="mb-1 font-medium">{text.deliveries}</h3>
      <QueryPanel query={deliveries} queryKey={query.queryKey}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">{text.noDeliveries}</p>
          ) : (
            <ul className="divide-y divide-line rounded-md border border-line">
              {rows.map((row) => (
                <DeliveryRow key={row.delivery.id} projectId={projectId} row={row} />
              ))}
            </ul>
          )
        }
      </QueryPanel>
    </section>
  );
}

function DeliveryRow({ projectId, row: { delivery, webhook } }: { projectId: string; row: EventDelivery }) {
  const { locale } = useFormat();
  const { id, status, attempts, response_status: answer, response_ms: ms, last_error: error } = delivery;
  const { replay, next_attempt_at: next, created_at: created } = delivery;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/projects/$projectId/webhooks/$webhookId"
          params={{ projectId, webhookId: webhook.id }}
          search={{ delivery: id }}
          className="min-w-0 font-medium"
        >
          <DataText>{webhook.name}</DataText>
        </Link>
        <Badge tone={tones[status]} icon={status === 'pending' ? 'clock' : undefined}>
          {text.statuses[status]}
        </Badge>
        {replay && <span className="text-sm text-muted">{text.replayed}</span>}
        <span className="ms-auto text-sm text-muted">
          <Time ms={created} />
        </span>
      </div>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        <span>{text.attempts(attempts)}</span>
        {answer !== null && <span>{text.answer(answer)}</span>}
        {ms !== null && <span>{formatDuration(locale, ms)}</span>}
        {status === 'pending' && next !== null && (
          <span>
            {text.next} <Time ms={next} />
          </span>
        )}
      </p>
      {error !== null && status !== 'delivered' && <DataText className="text-sm text-bad">{error}</DataText>}
    </li>
  );
}
