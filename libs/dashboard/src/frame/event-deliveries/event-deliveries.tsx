import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDuration } from '../../ui/format/period.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { DeliveryStatusBadge } from '../deliveries/delivery-status.js';
import { type EventDelivery, eventDeliveriesQuery } from './event-deliveries.queries.js';
import { whereItWent } from './where-it-went.js';

const text = {
  deliveries: 'Deliveries',
  noDeliveries: 'No webhook or destination receives this event.',
  replayed: 'Replay',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  answer: (status: number) => `answer ${status}`,
  next: 'next attempt',
};

/** Deliveries of an event to webhooks and destinations. */
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
            <>
              <DataText className="mb-2 block text-muted">{whereItWent(rows)}</DataText>
              <ul className="divide-y divide-line rounded-md border border-line">
                {rows.map((row) => (
                  <DeliveryRow key={row.id} projectId={projectId} delivery={row} />
                ))}
              </ul>
            </>
          )
        }
      </QueryPanel>
    </section>
  );
}

function DeliveryRow({ projectId, delivery }: { projectId: string; delivery: EventDelivery }) {
  const { locale } = useFormat();
  const { status, attempts, response_status: answer, response_ms: ms, last_error: error } = delivery;
  const { replay, next_attempt_at: next, created_at: created, reason_text: reason } = delivery;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <DeliveryLink projectId={projectId} delivery={delivery} />
        <DeliveryStatusBadge status={status} />
        {replay && <span className="text-sm text-muted">{text.replayed}</span>}
        <span className="ms-auto text-sm text-muted">
          <Time ms={created} />
        </span>
      </div>
      {attempts > 0 && (
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
      )}
      {reason !== null ? (
        <DataText className="text-sm text-muted">{reason}</DataText>
      ) : (
        error !== null && status !== 'delivered' && <DataText className="text-sm text-bad">{error}</DataText>
      )}
    </li>
  );
}

function DeliveryLink({ projectId, delivery }: { projectId: string; delivery: EventDelivery }) {
  const { id, integration_id: integrationId, integration_type: type, integration_name: name } = delivery;
  const search = { delivery: id };
  const className = 'min-w-0 font-medium';
  if (type === 'webhook') {
    const params = { projectId, webhookId: integrationId };
    return (
      <Link
        to="/projects/$projectId/webhooks/$webhookId"
        params={params}
        search={search}
        className={className}
      >
        <DataText>{name}</DataText>
      </Link>
    );
  }
  const params = { projectId, destinationId: integrationId };
  return (
    <Link
      to="/projects/$projectId/integrations/$destinationId"
      params={params}
      search={search}
      className={className}
    >
      <DataText>{name}</DataText>
    </Link>
  );
}
