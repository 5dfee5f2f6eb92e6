import { statement } from '../../../platform/database/statement.js';

/** Locked, so that the channel is not deleted before the message is saved. */
export const channel = statement(
  'channel_messages.channel',
  `SELECT w.id, w.type, w.enabled FROM webhook_integrations w
   WHERE w.project_id = $1 AND w.id = $2 AND w.type IN ('slack', 'discord') FOR SHARE`,
);

/** Returns no row if the message to the channel $8 has been recorded before ($5: its key). */
export const insertEvent = statement(
  'channel_messages.insert_event',
  `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, environment, delivery, body)
   SELECT w.project_id, $2, $3, $2, $4, $5, $6, 'suppressed', $7::json FROM webhook_integrations w
   WHERE w.project_id = $1 AND w.id = $8
     AND NOT EXISTS (SELECT 1 FROM event_keys k WHERE k.project_id = $1 AND k.dedupe_key = $5)
   RETURNING id`,
);

/** $2: current time, $3: id, $4: channel, $5: event, $6: type of the event. */
export const insertDelivery = statement(
  'channel_messages.insert_delivery',
  `INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
     event_type, next_attempt_at)
   VALUES ($1, $2, $3, $4, $5, $2, $6, $2)`,
);
