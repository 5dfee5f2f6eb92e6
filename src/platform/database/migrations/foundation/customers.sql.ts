/** Customers, the ids they go by, their attributes, and the prepared answer of each customer. */
export const customerTables = `
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
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 80);

CREATE TABLE customer_aliases (
  project_id text NOT NULL,
  app_user_id text COLLATE "C" NOT NULL,
  customer_id text NOT NULL,
  is_anonymous boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, app_user_id)
);
CREATE INDEX customer_aliases_by_customer ON customer_aliases (project_id, customer_id);

CREATE TABLE customer_attributes (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text,
  updated_at_ms bigint NOT NULL,
  source text NOT NULL CHECK (source IN ('sdk', 'api')),
  set_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, customer_id, name)
);

-- The time-independent part of a customer's SDK answer. Written with every change of the customer;
-- valid for one version of the project's catalog, rebuilt on read after a catalog change.
CREATE TABLE customer_snapshots (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  catalog_version bigint NOT NULL,
  customer_version bigint NOT NULL,
  subscriber text NOT NULL,
  etag text NOT NULL,
  PRIMARY KEY (project_id, customer_id)
) WITH (fillfactor = 80);
`;
