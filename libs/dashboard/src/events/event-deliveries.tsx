import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../ui/badge.js';
import { DataText } from '../ui/data-text.js';
import { QueryPanel } from '../ui/query-panel.js';
import { Time } from '../ui/time.js';
import { type EventDelivery, eventDeliveriesQuery } from './events.queries.js';
import { text } from './events.text.js';

const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

/** Which webhooks got an event. */
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
  const { id, status, response_status: answer, replay, created_at: created } = delivery;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
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
      {answer !== null && <span className="tabular-nums">{answer}</span>}
      {replay && <span className="text-sm text-muted">{text.replayed}</span>}
      <span className="ms-auto text-sm text-muted">
        <Time ms={created} />
      </span>
    </li>
  );
}
