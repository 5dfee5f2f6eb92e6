export const storesTables = `
CREATE TABLE store_notifications (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text NOT NULL,
  dedupe_key text NOT NULL,
  kind text,
  subkind text,
  environment text CHECK (environment IN ('production', 'sandbox')),
  subject text,
  body bytea,
  content_type text,
  sent_at timestamptz(3),
  received_at timestamptz(3) NOT NULL,
  state text NOT NULL CHECK (state IN (
      'received', 'processed', 'ignored_type', 'ignored_unknown_purchase', 'retrying', 'failed',
      'rejected')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  lease_until timestamptz(3),
  processed_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3),
  answered_at timestamptz(3),
  PRIMARY KEY (project_id, id, received_at),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
) PARTITION BY RANGE (received_at);
CREATE INDEX store_notifications_queue ON store_notifications (project_id, app_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX store_notifications_errors ON store_notifications (project_id, app_id, last_error_at DESC)
  WHERE last_error_at IS NOT NULL;
CREATE INDEX store_notifications_by_time ON store_notifications (project_id, app_id, received_at DESC);
CREATE INDEX store_notifications_unknown ON store_notifications (project_id, app_id, subject)
  WHERE state = 'ignored_unknown_purchase';

CREATE TABLE store_notification_keys (
  project_id text NOT NULL,
  app_id text NOT NULL,
  dedupe_key text NOT NULL,
  id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  CONSTRAINT store_notification_keys_by_id UNIQUE (project_id, id),
  PRIMARY KEY (project_id, app_id, dedupe_key)
);
CREATE INDEX store_notification_keys_by_time ON store_notification_keys (project_id, received_at);

CREATE TABLE store_notification_copies (
  project_id text NOT NULL,
  notification_id text NOT NULL,
  app_id text NOT NULL,
  due_at timestamptz(3),
  lease_until timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  status integer,
  error text,
  attempted_at timestamptz(3),
  PRIMARY KEY (project_id, notification_id),
  CONSTRAINT store_notification_copies_of_key FOREIGN KEY (project_id, notification_id)
    REFERENCES store_notification_keys (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX store_notification_copies_attempted ON store_notification_copies (project_id, app_id, attempted_at DESC)
  WHERE attempted_at IS NOT NULL;
CREATE INDEX store_notification_copies_queue ON store_notification_copies (project_id, app_id, due_at)
  WHERE due_at IS NOT NULL;

CREATE TABLE store_refreshes (
  project_id text NOT NULL,
  app_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  purchase_key text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  last_error text,
  PRIMARY KEY (project_id, app_id, environment, purchase_key),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX store_refreshes_queue ON store_refreshes (project_id, app_id, due_at);

CREATE TABLE store_budgets (
  project_id text NOT NULL,
  app_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  tokens double precision NOT NULL,
  refilled_at timestamptz(3) NOT NULL,
  blocked_until timestamptz(3),
  PRIMARY KEY (project_id, app_id, environment),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);

CREATE TABLE store_tasks (
  project_id text NOT NULL,
  app_id text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  detail json NOT NULL,
  mark_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  last_error text,
  PRIMARY KEY (project_id, app_id, kind, key),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX store_tasks_queue ON store_tasks (project_id, app_id, due_at);

CREATE TABLE subscription_mass_extensions (
  project_id text NOT NULL,
  app_id text NOT NULL,
  id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  product_id text NOT NULL,
  store_product_id text NOT NULL,
  extend_by_days integer NOT NULL,
  extend_reason_code text NOT NULL,
  storefront_country_codes text[] NOT NULL,
  complete boolean NOT NULL DEFAULT false,
  completed_at timestamptz(3),
  succeeded_count integer,
  failed_count integer,
  requested_at timestamptz(3) NOT NULL,
  answered boolean NOT NULL DEFAULT true,
  PRIMARY KEY (project_id, app_id, id),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX subscription_mass_extensions_unanswered
  ON subscription_mass_extensions (project_id, app_id, environment, store_product_id, extend_by_days,
    extend_reason_code, storefront_country_codes)
  WHERE NOT answered;

CREATE TABLE notification_listeners (
  id text NOT NULL,
  since timestamptz(3) NOT NULL,
  beat_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id)
);

-- A notification counts once, whichever month it arrives in: duplicates are skipped.
CREATE FUNCTION forget_store_notification_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM store_notification_keys
  WHERE (project_id, app_id, dedupe_key) = (OLD.project_id, OLD.app_id, OLD.dedupe_key);
  RETURN OLD;
END
$$;
CREATE TRIGGER store_notifications_forgotten BEFORE DELETE ON store_notifications
  FOR EACH ROW
  EXECUTE FUNCTION forget_store_notification_keys();
CREATE FUNCTION note_store_notification_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO store_notification_keys (project_id, app_id, dedupe_key, id, received_at)
  VALUES (NEW.project_id, NEW.app_id, NEW.dedupe_key, NEW.id, NEW.received_at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER store_notifications_noted BEFORE INSERT ON store_notifications
  FOR EACH ROW
  EXECUTE FUNCTION note_store_notification_keys();
`;
