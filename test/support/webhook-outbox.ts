import { randomUUID } from 'node:crypto';
import {
  insertMatchingDeliveries,
  type MatchedEvent,
} from '../../src/webhooks/deliveries/delivery-matching.sql.js';
import type { TestServer } from './test-server.js';

export interface RecordedEvent {
  type?: string;
  appId?: string | null;
  environment?: 'production' | 'sandbox' | null;
  delivery?: 'send' | 'suppressed';
  /** Text of the event body, by the event's id; by default one that no JSON serializer would write like this. */
  body?: string | ((id: string) => string);
  customerId?: string;
  sequence?: number;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  status: string;
  attempts: number;
  /** Epoch milliseconds. */
  next_attempt_at: number | null;
  lease_until: number | null;
  response_status: number | null;
  response_ms: number | null;
  last_error: string | null;
}

/**
 * Records an event and its deliveries in one transaction, as a purchase does. Gives the id of the event. The
 * dispatcher is not woken.
 */
export async function recordEvent(
  { dataSource, clock }: TestServer,
  projectId: string,
  event: RecordedEvent = {},
): Promise<string> {
  const { type = 'RENEWAL', appId = null, environment = 'sandbox', delivery = 'send' } = event;
  const { customerId = null, sequence = null } = event;
  const id = randomUUID().toUpperCase();
  const given = typeof event.body === 'function' ? event.body(id) : event.body;
  const body = given ?? `{"type" : "${type}", "id":"${id}",  "price":9.90, "name":"Zoë \\u00fc 😀"}`;
  const createdAt = new Date(clock.nowMs());
  const matched: MatchedEvent = {
    id,
    created_at: createdAt,
    type,
    app_id: appId,
    environment,
    delivery,
    customer_id: customerId,
    sequence,
  };
  await dataSource.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, app_id, environment, delivery, body,
         customer_id, sequence)
       VALUES ($1, $2, $3, $2, $4, $3, $5, $6, $7, $8, $9, $10)`,
      [projectId, createdAt, id, type, appId, environment, delivery, body, customerId, sequence],
    );
    await tx.query(insertMatchingDeliveries.text, [projectId, JSON.stringify([matched])]);
  });
  return id;
}

/** What the outbox holds for an integration, in the order of the events. */
export function deliveriesTo(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  webhookIntegrationId: string,
): Promise<DeliveryRow[]> {
  return dataSource.query<DeliveryRow[]>(
    `SELECT id, event_id, status, attempts, response_status, response_ms, last_error,
       (extract(epoch FROM next_attempt_at) * 1000)::float8 AS next_attempt_at,
       (extract(epoch FROM lease_until) * 1000)::float8 AS lease_until
     FROM webhook_deliveries WHERE webhook_integration_id = $1 ORDER BY created_at, event_id`,
    [webhookIntegrationId],
  );
}
