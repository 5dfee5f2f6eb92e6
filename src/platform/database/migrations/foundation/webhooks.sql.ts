export const webhooksTables = `
-- Append-only event log; body is the webhook event, fixed when it is recorded.
CREATE TABLE events (
  project_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  type text NOT NULL,
  dedupe_key text NOT NULL,
  customer_id text,
  other_customer_id text,
  sequence bigint,
  subscription_id text,
  purchase_id text,
  app_id text,
  environment text CHECK (environment IN ('production', 'sandbox')),
  delivery text NOT NULL CHECK (delivery IN ('send', 'suppressed')),
  body json NOT NULL,
  PRIMARY KEY (project_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX events_by_customer ON events (project_id, customer_id, occurred_at DESC, id);
CREATE INDEX events_by_id ON events (project_id, id);
CREATE INDEX events_ahead ON events (project_id, occurred_at) WHERE occurred_at > created_at;
CREATE INDEX events_by_other_customer ON events (project_id, other_customer_id, occurred_at DESC, id)
  WHERE other_customer_id IS NOT NULL;
-- Kind of event first: the log reads kind by kind, so every filter is an index condition.
CREATE INDEX events_by_kind
  ON events (project_id, type, coalesce(environment, ''), coalesce(app_id, ''), occurred_at DESC, created_at DESC,
    id DESC);

CREATE TABLE event_keys (
  project_id text NOT NULL,
  dedupe_key text NOT NULL,
  PRIMARY KEY (project_id, dedupe_key)
);

-- The kinds of event that a project has; '' means none.
CREATE TABLE event_kinds (
  project_id text NOT NULL,
  type text NOT NULL,
  environment text NOT NULL,
  app_id text NOT NULL,
  PRIMARY KEY (project_id, type, environment, app_id)
);

CREATE TABLE webhook_integrations (
  project_id text NOT NULL,
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
  include_customer_info boolean NOT NULL DEFAULT false,
  ordered boolean NOT NULL DEFAULT false,
  sealed_previous_signing_secret text,
  previous_signing_secret_until timestamptz(3),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

-- One row for each failing endpoint.
CREATE TABLE webhook_circuits (
  project_id text NOT NULL,
  webhook_integration_id text NOT NULL,
  failures integer NOT NULL,
  opened_at timestamptz(3),
  probe_at timestamptz(3),
  failed_probes integer NOT NULL DEFAULT 0,
  probe_lease_until timestamptz(3),
  CHECK ((opened_at IS NULL) = (probe_at IS NULL)),
  PRIMARY KEY (project_id, webhook_integration_id)
) WITH (fillfactor = 50);

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
  last_attempt_at timestamptz(3),
  replay boolean NOT NULL DEFAULT false,
  customer_id text,
  sequence bigint,
  customer_info text,
  PRIMARY KEY (project_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX webhook_deliveries_in_order
  ON webhook_deliveries (project_id, customer_id, webhook_integration_id, sequence)
  WHERE (status = 'pending') AND (customer_id IS NOT NULL);
CREATE INDEX webhook_deliveries_replayed ON webhook_deliveries (project_id, event_id) WHERE replay;
CREATE INDEX webhook_deliveries_by_id ON webhook_deliveries (project_id, id);
CREATE INDEX webhook_deliveries_by_integration
  ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (project_id, webhook_integration_id, created_at DESC, id)
  WHERE status = 'failed';
-- One queue for each integration: the dispatcher takes the head of each queue in turn, so that the backlog of one
-- endpoint does not delay the others.
CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (project_id, webhook_integration_id, next_attempt_at)
  WHERE status = 'pending';

-- Append-only; the time is in the key, for partitioning.
CREATE TABLE webhook_attempts (
  project_id text NOT NULL,
  attempted_at timestamptz(3) NOT NULL,
  delivery_id text NOT NULL,
  attempt integer NOT NULL,
  url text NOT NULL,
  response_status integer,
  response_ms integer,
  error text,
  response_body text,
  response_headers json,
  PRIMARY KEY (project_id, attempted_at, delivery_id, attempt)
) PARTITION BY RANGE (attempted_at);
CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (project_id, delivery_id, attempt DESC);

-- An event is recorded once, whichever month it is recorded in: a duplicate fails with 23505. The keys of
-- new events are recorded once per statement, sorted, so that two statements with the same keys do not deadlock. Rows
-- inserted directly into a partition are not recorded.
CREATE FUNCTION forget_event_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_keys WHERE (project_id, dedupe_key) = (OLD.project_id, OLD.dedupe_key);
  RETURN OLD;
END
$$;
CREATE TRIGGER events_forgotten BEFORE DELETE ON events
  FOR EACH ROW
  EXECUTE FUNCTION forget_event_keys();
CREATE FUNCTION note_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_keys (project_id, dedupe_key)
  SELECT n.project_id, n.dedupe_key FROM new_events n ORDER BY 1, 2;
  INSERT INTO event_kinds (project_id, type, environment, app_id)
  SELECT DISTINCT n.project_id, n.type, coalesce(n.environment, ''), coalesce(n.app_id, '')
  FROM new_events n ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER events_noted AFTER INSERT ON events REFERENCING NEW TABLE AS new_events
  FOR EACH STATEMENT
  EXECUTE FUNCTION note_events();
`;
