import { statement } from '../../platform/database/statement.js';
import { optInEventTypes } from '../events/event-types.js';

const optIn = optInEventTypes.map((type) => `'${type}'`).join(', ');

/** True if an event `e` matches an integration `w`. */
export const eventMatches = `
  e.delivery = 'send'
    AND (w.environment IS NULL OR e.environment IS NULL OR w.environment = e.environment)
    AND (w.app_id IS NULL OR w.app_id = e.app_id)
    AND CASE WHEN cardinality(w.event_types) = 0 THEN lower(e.type) NOT IN (${optIn})
      ELSE lower(e.type) = ANY (w.event_types) END`;

/** The columns that order the deliveries of an event `e` to an integration `w`; null for unordered integrations. */
export const orderColumns = `CASE WHEN w.ordered THEN e.customer_id END, CASE WHEN w.ordered THEN e.sequence END`;

/**
 * Inserts one delivery for each integration that an event matches, in the transaction of the events. $1: project, $2: the
 * events as JSON. The delivery id is derived from event and integration, which prevents a second delivery of the same
 * event.
 */
export const insertMatchingDeliveries = statement(
  'webhook_deliveries.insert_matching',
  `INSERT INTO webhook_deliveries AS d (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
     event_type, next_attempt_at, customer_id, sequence)
   SELECT w.project_id, e.created_at, 'whd_' || substr(md5(e.id || w.id), 1, 16), w.id, e.id, e.created_at,
     e.type, e.created_at, ${orderColumns}
   FROM webhook_integrations w CROSS JOIN json_to_recordset($2::json) AS e(id text, created_at timestamptz, type text,
     app_id text, environment text, delivery text, customer_id text, sequence bigint)
   WHERE w.project_id = $1 AND w.enabled AND ${eventMatches}
   RETURNING d.id`,
);

/** An event as `insertMatchingDeliveries` reads it. */
export interface MatchedEvent {
  id: string;
  created_at: Date;
  type: string;
  app_id: string | null;
  environment: string | null;
  delivery: 'send' | 'suppressed';
  customer_id: string | null;
  sequence: number | null;
}
