/**
 * Replays and what they sent. A table of its own, not a column of the deliveries: that would need an index over all of
 * them, built while nothing can be sent. Both are kept as long as deliveries.
 */
export const webhookReplayTables = `
CREATE TABLE webhook_replays (
  project_id text NOT NULL,
  id text NOT NULL,
  webhook_integration_id text NOT NULL,
  events_from timestamptz(3) NOT NULL,
  events_to timestamptz(3) NOT NULL,
  event_types text[] NOT NULL,
  deliveries text NOT NULL CHECK (deliveries IN ('failed', 'all')),
  queued integer NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX webhook_replays_by_integration
  ON webhook_replays (project_id, webhook_integration_id, requested_at DESC, id);

-- The key of each delivery that a replay queued. What became of it stands in webhook_deliveries alone.
CREATE TABLE webhook_replay_deliveries (
  project_id text NOT NULL,
  replay_id text NOT NULL,
  delivery_created_at timestamptz(3) NOT NULL,
  delivery_id text NOT NULL,
  PRIMARY KEY (project_id, replay_id, delivery_created_at, delivery_id)
);
`;
