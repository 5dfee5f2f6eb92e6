export const customersTables = `
CREATE FUNCTION app_user_id_hash(app_user_id text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT encode(sha256(convert_to(app_user_id, 'UTF8')), 'hex') $$;

CREATE TABLE test_clocks (
  project_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  frozen_at timestamptz(3) NOT NULL,
  -- The time its customers are being advanced to; null if not advancing.
  target_at timestamptz(3),
  -- Advancing a customer failed.
  failed boolean NOT NULL DEFAULT false,
  plan text[] NOT NULL,
  -- An advancing clock is not due before this time; null means now.
  due_at timestamptz(3),
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX test_clocks_advancing ON test_clocks (project_id, id) WHERE (target_at IS NOT NULL) AND (NOT failed);

CREATE TABLE customers (
  project_id text NOT NULL,
  id text NOT NULL,
  original_app_user_id text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3),
  last_seen_platform text,
  last_seen_platform_version text,
  last_seen_app_version text,
  last_seen_country text,
  original_application_version text,
  original_purchase_at timestamptz(3),
  current_offering_override text,
  version bigint NOT NULL DEFAULT 1,
  event_sequence bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  last_seen_platform_flavor text,
  last_seen_sdk_version text,
  adservices_token text,
  test_clock_id text,
  test_clock_at timestamptz(3),
  last_event_at timestamptz(3),
  CHECK ((test_clock_id IS NULL) = (test_clock_at IS NULL)),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, test_clock_id) REFERENCES test_clocks (project_id, id)
) WITH (fillfactor = 80);
CREATE INDEX customers_by_first_seen ON customers (project_id, first_seen_at);
CREATE INDEX customers_by_test_clock ON customers (project_id, test_clock_id) WHERE test_clock_id IS NOT NULL;
CREATE INDEX customers_list ON customers (project_id, created_at DESC, original_app_user_id COLLATE "C" DESC);

CREATE TABLE customer_aliases (
  project_id text NOT NULL,
  app_user_id text NOT NULL COLLATE "C",
  customer_id text NOT NULL,
  is_anonymous boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, app_user_id)
);
CREATE INDEX customer_aliases_by_customer ON customer_aliases (project_id, customer_id, app_user_id);
CREATE INDEX customer_aliases_by_hash ON customer_aliases (project_id, app_user_id_hash(app_user_id));

CREATE TABLE customer_attributes (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  name text NOT NULL COLLATE "C",
  value text,
  updated_at_ms bigint NOT NULL,
  source text NOT NULL CHECK (source IN ('sdk', 'api')),
  set_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, customer_id, name)
);
-- Truncated, because the size of an index entry is limited; searches take at most 255 characters.
CREATE INDEX customer_attributes_by_email ON customer_attributes (project_id, lower(left(value, 256)))
  WHERE name = '$email';

-- The time-independent part of a customer's SDK answer. Written with every change of the customer; valid for one
-- version of the project's catalog, rebuilt on read after a catalog change.
CREATE TABLE customer_snapshots (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  catalog_version bigint NOT NULL,
  customer_version bigint NOT NULL,
  subscriber text NOT NULL,
  etag text NOT NULL,
  store_urls json,
  PRIMARY KEY (project_id, customer_id)
) WITH (fillfactor = 80);

CREATE TABLE store_accounts (
  project_id text NOT NULL,
  app_id text NOT NULL,
  kind text NOT NULL,
  account_key text NOT NULL,
  customer_id text NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, app_id, kind, account_key),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
);
CREATE INDEX store_accounts_by_customer ON store_accounts (project_id, customer_id);

-- App user ids that get no entitlements. A customer is blocked while one of its ids is.
CREATE TABLE blocked_customers (
  project_id text NOT NULL,
  app_user_id text NOT NULL COLLATE "C",
  note text,
  blocked_at timestamptz(3) NOT NULL,
  blocked_by_type text NOT NULL CHECK (blocked_by_type IN ('user', 'api_key', 'oauth_client', 'scim')),
  blocked_by_id text NOT NULL,
  blocked_by_email text,
  PRIMARY KEY (project_id, app_user_id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);
CREATE INDEX blocked_customers_list ON blocked_customers (project_id, blocked_at DESC, app_user_id DESC);

-- Deleted customers whose history was too long for one transaction.
CREATE TABLE customer_erasures (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  app_user_id text,
  erased json NOT NULL DEFAULT '{}',
  lease_until timestamptz(3),
  PRIMARY KEY (project_id, customer_id)
);

CREATE FUNCTION count_customer_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Nothing is counted while a whole project is being removed.
  IF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN RETURN NULL; END IF;
  INSERT INTO metric_customer_changes (project_id, day, first_seen, last_seen)
  SELECT coalesce(NEW.project_id, OLD.project_id), d.day, sum(d.first_seen), sum(d.last_seen)
  FROM (VALUES
    ((NEW.first_seen_at AT TIME ZONE 'UTC')::date, 1, 0), ((NEW.last_seen_at AT TIME ZONE 'UTC')::date, 0, 1),
    ((OLD.first_seen_at AT TIME ZONE 'UTC')::date, -1, 0), ((OLD.last_seen_at AT TIME ZONE 'UTC')::date, 0, -1)
  ) AS d (day, first_seen, last_seen)
  WHERE d.day IS NOT NULL GROUP BY d.day HAVING sum(d.first_seen) <> 0 OR sum(d.last_seen) <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_counted AFTER INSERT OR DELETE ON customers
  FOR EACH ROW
  EXECUTE FUNCTION count_customer_days();
CREATE TRIGGER customers_recounted AFTER UPDATE OF first_seen_at, last_seen_at ON customers
  FOR EACH ROW
  WHEN ((OLD.first_seen_at AT TIME ZONE 'UTC')::date IS DISTINCT FROM (NEW.first_seen_at AT TIME ZONE 'UTC')::date
    OR (OLD.last_seen_at AT TIME ZONE 'UTC')::date IS DISTINCT FROM (NEW.last_seen_at AT TIME ZONE 'UTC')::date)
  EXECUTE FUNCTION count_customer_days();
`;
