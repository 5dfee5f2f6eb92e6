export const catalogTables = `
CREATE TABLE apps (
  project_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL CHECK (type IN (
      'amazon', 'app_store', 'mac_app_store', 'play_store', 'stripe', 'rc_billing', 'roku', 'paddle',
      'test_store')),
  name text NOT NULL,
  public_key text NOT NULL,
  custom_url_scheme text NOT NULL,
  store_settings json NOT NULL DEFAULT '{}',
  sealed_credentials json NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, public_key),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE app_routes (
  app_id text NOT NULL,
  project_id text NOT NULL,
  PRIMARY KEY (app_id)
);
CREATE INDEX app_routes_by_project ON app_routes (project_id, app_id);

-- A request belongs to no project until its key is resolved: this small table maps a key to its project.
CREATE TABLE credential_routes (
  key_hash bytea NOT NULL,
  kind text NOT NULL CHECK (kind IN ('public_key', 'secret_key')),
  project_id text NOT NULL,
  owner_id text NOT NULL,
  PRIMARY KEY (key_hash)
);
CREATE INDEX credential_routes_by_owner ON credential_routes (project_id, owner_id);

CREATE TABLE entitlements (
  project_id text NOT NULL,
  id text NOT NULL,
  lookup_key text NOT NULL,
  display_name text NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'inactive')),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT entitlements_lookup_key_unique UNIQUE (project_id, lookup_key),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE products (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text NOT NULL,
  store_identifier text NOT NULL,
  type text NOT NULL CHECK (type IN (
      'subscription', 'one_time', 'consumable', 'non_consumable', 'non_renewing_subscription')),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'inactive')),
  display_name text,
  duration text,
  trial_duration text,
  grace_period_duration text,
  test_store_price_micros bigint,
  test_store_price_currency char(3),
  created_at timestamptz(3) NOT NULL,
  CHECK ((test_store_price_micros IS NULL) = (test_store_price_currency IS NULL)),
  PRIMARY KEY (project_id, id),
  CONSTRAINT products_store_identifier_unique UNIQUE (project_id, app_id, store_identifier),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
);
CREATE INDEX products_list ON products (project_id, created_at, id);

CREATE TABLE product_entitlements (
  project_id text NOT NULL,
  entitlement_id text NOT NULL,
  product_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, entitlement_id, product_id),
  FOREIGN KEY (project_id, entitlement_id) REFERENCES entitlements (project_id, id) ON DELETE CASCADE,
  FOREIGN KEY (project_id, product_id) REFERENCES products (project_id, id) ON DELETE CASCADE
);
CREATE INDEX product_entitlements_by_product ON product_entitlements (project_id, product_id);

CREATE TABLE offerings (
  project_id text NOT NULL,
  id text NOT NULL,
  lookup_key text NOT NULL,
  display_name text NOT NULL,
  is_current boolean NOT NULL DEFAULT false,
  metadata json,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'inactive')),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT offerings_lookup_key_unique UNIQUE (project_id, lookup_key),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);
CREATE UNIQUE INDEX offerings_one_current ON offerings (project_id) WHERE is_current;

CREATE TABLE packages (
  project_id text NOT NULL,
  id text NOT NULL,
  offering_id text NOT NULL,
  lookup_key text NOT NULL,
  display_name text NOT NULL,
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT packages_lookup_key_unique UNIQUE (project_id, offering_id, lookup_key),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, offering_id) REFERENCES offerings (project_id, id) ON DELETE CASCADE
);

CREATE TABLE package_products (
  project_id text NOT NULL,
  package_id text NOT NULL,
  product_id text NOT NULL,
  eligibility_criteria text NOT NULL DEFAULT 'all' CHECK (eligibility_criteria IN (
      'all', 'google_sdk_lt_6', 'google_sdk_ge_6')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, package_id, product_id),
  FOREIGN KEY (project_id, package_id) REFERENCES packages (project_id, id) ON DELETE CASCADE,
  FOREIGN KEY (project_id, product_id) REFERENCES products (project_id, id) ON DELETE CASCADE
);
CREATE INDEX package_products_by_product ON package_products (project_id, product_id);

CREATE TABLE virtual_currencies (
  project_id text NOT NULL,
  code text NOT NULL COLLATE "C",
  name text NOT NULL,
  description text,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'inactive')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, code),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE virtual_currency_grants (
  project_id text NOT NULL,
  code text NOT NULL COLLATE "C",
  position integer NOT NULL,
  product_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  trial_amount bigint NOT NULL CHECK (trial_amount >= 0),
  expire_at_cycle_end boolean NOT NULL,
  PRIMARY KEY (project_id, code, product_id),
  FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE,
  FOREIGN KEY (project_id, product_id) REFERENCES products (project_id, id) ON DELETE CASCADE
);
CREATE INDEX virtual_currency_grants_by_product ON virtual_currency_grants (project_id, product_id);
`;
