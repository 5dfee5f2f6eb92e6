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
 * Inserts one delivery for each integration that an event matches. For use in a statement with a row source `e` of new
 * events (project_id, created_at, id, type, app_id, environment, delivery, customer_id, sequence), so that the
 * deliveries commit with the events. The delivery id is derived from event and integration, which prevents a second
 * delivery of the same event.
 */
export const insertMatchingDeliveries = `
  INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
    event_type, next_attempt_at, customer_id, sequence)
  SELECT e.project_id, e.created_at, 'whd_' || substr(md5(e.id || w.id), 1, 16), w.id, e.id, e.created_at,
    e.type, e.created_at, ${orderColumns}
  FROM e JOIN webhook_integrations w ON w.project_id = e.project_id
  WHERE w.enabled AND ${eventMatches}
  RETURNING id`;
