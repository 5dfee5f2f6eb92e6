/** Webhook integrations and the outbox of deliveries. */
export const webhookTables = `
CREATE TABLE webhook_integrations (
  project_id text NOT NULL REFERENCES projects (id),
  id text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  environment text CHECK (environment IN ('production', 'sandbox')),
  event_types text[] NOT NULL DEFAULT '{}',
  app_id text,
  enabled boolean NOT NULL DEFAULT true,
  sealed_authorization_header text,
  sealed_signing_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE webhook_deliveries (
  project_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  webhook_integration_id text NOT NULL,
  event_id text NOT NULL,
  event_created_at timestamptz(3) NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  lease_until timestamptz(3),
  response_status integer,
  response_ms integer,
  last_error text,
  PRIMARY KEY (project_id, created_at, id)
) WITH (fillfactor = 70);
-- One queue for each integration: the dispatcher steps from queue to queue and takes the head of each, so that
-- the backlog of one endpoint costs the others nothing.
CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (project_id, webhook_integration_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_integration
  ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id);
`;
