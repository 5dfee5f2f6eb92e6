export const purchasesTables = `
CREATE TABLE subscriptions (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text,
  store text NOT NULL CHECK (store IN (
      'amazon', 'app_store', 'mac_app_store', 'play_store', 'promotional', 'stripe', 'rc_billing', 'roku',
      'paddle', 'test_store')),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  store_key text NOT NULL,
  customer_id text NOT NULL,
  original_customer_id text NOT NULL,
  original_customer_app_user_id text NOT NULL,
  store_product_id text,
  store_identifiers text[] NOT NULL,
  facts json NOT NULL,
  facts_at_ms bigint NOT NULL,
  emitted json NOT NULL,
  started_at timestamptz(3) NOT NULL,
  access_ends_at timestamptz(3),
  status text NOT NULL CHECK (status IN (
      'trialing', 'active', 'in_grace_period', 'in_billing_retry', 'paused', 'expired')),
  next_due_at timestamptz(3),
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  granted_entitlement_id text,
  CONSTRAINT subscriptions_store_key_unique UNIQUE (project_id, store, environment, store_key),
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 80);
CREATE INDEX subscriptions_by_customer ON subscriptions (project_id, customer_id, started_at DESC, id);
CREATE INDEX subscriptions_by_end ON subscriptions (project_id, app_id, access_ends_at)
  WHERE access_ends_at IS NOT NULL;
CREATE INDEX subscriptions_by_grant ON subscriptions (project_id, granted_entitlement_id)
  WHERE granted_entitlement_id IS NOT NULL;
CREATE INDEX subscriptions_due ON subscriptions (project_id, next_due_at) WHERE next_due_at IS NOT NULL;

-- Every store id that a purchase ever had.
CREATE TABLE subscription_identifiers (
  project_id text NOT NULL,
  store_identifier text NOT NULL COLLATE "C",
  subscription_id text NOT NULL,
  PRIMARY KEY (project_id, store_identifier, subscription_id),
  FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions (project_id, id) ON DELETE CASCADE
);
CREATE INDEX subscription_identifiers_by_owner ON subscription_identifiers (project_id, subscription_id);

CREATE TABLE one_time_purchases (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text,
  store text NOT NULL CHECK (store IN (
      'amazon', 'app_store', 'mac_app_store', 'play_store', 'promotional', 'stripe', 'rc_billing', 'roku',
      'paddle', 'test_store')),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  purchase_key text NOT NULL,
  customer_id text NOT NULL,
  original_customer_id text NOT NULL,
  original_customer_app_user_id text NOT NULL,
  store_product_id text,
  store_identifiers text[] NOT NULL,
  facts json NOT NULL,
  facts_at_ms bigint NOT NULL,
  emitted json NOT NULL,
  purchased_at timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('owned', 'refunded')),
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT one_time_purchases_key_unique UNIQUE (project_id, store, environment, purchase_key),
  PRIMARY KEY (project_id, id)
) WITH (fillfactor = 80);
CREATE INDEX one_time_purchases_by_customer ON one_time_purchases (project_id, customer_id, purchased_at DESC, id);
CREATE INDEX one_time_purchases_by_time ON one_time_purchases (project_id, app_id, purchased_at);

CREATE TABLE one_time_identifiers (
  project_id text NOT NULL,
  store_identifier text NOT NULL COLLATE "C",
  purchase_id text NOT NULL,
  PRIMARY KEY (project_id, store_identifier, purchase_id),
  FOREIGN KEY (project_id, purchase_id) REFERENCES one_time_purchases (project_id, id) ON DELETE CASCADE
);
CREATE INDEX one_time_identifiers_by_owner ON one_time_identifiers (project_id, purchase_id);

-- Append-only money ledger. A null amount is an unknown price, never zero.
CREATE TABLE store_transactions (
  project_id text NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  customer_id text NOT NULL,
  subscription_id text,
  purchase_id text,
  app_id text,
  store text NOT NULL CHECK (store IN (
      'amazon', 'app_store', 'mac_app_store', 'play_store', 'promotional', 'stripe', 'rc_billing', 'roku',
      'paddle', 'test_store')),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  kind text NOT NULL CHECK (kind IN (
      'purchase', 'trial_start', 'renewal', 'one_time', 'refund', 'refund_reversal', 'proration',
      'correction')),
  kind_seq integer NOT NULL,
  period_key text NOT NULL,
  owner_key text NOT NULL,
  store_ids text[] NOT NULL,
  store_product_id text,
  amount_micros bigint,
  currency char(3),
  usd_micros bigint,
  fx_rate numeric(20, 10),
  fx_day date,
  fx_source text,
  commission_bps integer NOT NULL,
  tax_bps integer NOT NULL,
  quantity integer NOT NULL,
  price_source text NOT NULL CHECK (price_source IN ('store', 'order', 'device', 'catalog', 'unknown')),
  purchased_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  period_type text NOT NULL,
  ownership text NOT NULL CHECK (ownership IN ('purchased', 'family_shared')),
  country text,
  CHECK ((subscription_id IS NULL) <> (purchase_id IS NULL)),
  PRIMARY KEY (project_id, recorded_at, id)
) PARTITION BY RANGE (recorded_at);
CREATE INDEX store_transactions_unconverted ON store_transactions (project_id, currency)
  WHERE (usd_micros IS NULL) AND (amount_micros IS NOT NULL);
CREATE INDEX store_transactions_by_customer
  ON store_transactions (project_id, customer_id, purchased_at DESC, id DESC);
CREATE INDEX store_transactions_feed ON store_transactions (project_id, environment, purchased_at DESC, id DESC);
CREATE INDEX store_transactions_by_id ON store_transactions (project_id, id);
CREATE INDEX store_transactions_by_purchase ON store_transactions (project_id, purchase_id)
  WHERE purchase_id IS NOT NULL;
CREATE INDEX store_transactions_by_subscription ON store_transactions (project_id, subscription_id, purchased_at)
  WHERE subscription_id IS NOT NULL;

CREATE TABLE store_transaction_keys (
  project_id text NOT NULL,
  store text NOT NULL,
  environment text NOT NULL,
  owner_key text NOT NULL,
  period_key text NOT NULL,
  kind text NOT NULL,
  kind_seq integer NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  PRIMARY KEY (project_id, store, environment, owner_key, period_key, kind, kind_seq)
);

-- Why a purchase (subscription or one-time) moved from one customer to another, with their ids at that time; an id
-- is null if its customer was deleted since.
CREATE TABLE ownership_changes (
  project_id text NOT NULL,
  purchase_id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  from_customer_id text NOT NULL,
  from_app_user_id text,
  to_customer_id text NOT NULL,
  to_app_user_id text,
  rule text NOT NULL CHECK (rule IN (
      'transfer', 'transfer_if_no_active', 'share', 'anonymous_owner', 'sign_in', 'alias',
      'transfer_action')),
  is_restore boolean,
  request_id text NOT NULL,
  PRIMARY KEY (project_id, purchase_id, occurred_at, id)
);
CREATE INDEX ownership_changes_by_giver ON ownership_changes (project_id, from_customer_id);
CREATE INDEX ownership_changes_by_taker ON ownership_changes (project_id, to_customer_id);

-- Currency is credited in lots; the balance is what remains of the lots that have not expired.
CREATE TABLE virtual_currency_lots (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  id text NOT NULL,
  code text NOT NULL COLLATE "C",
  remaining bigint NOT NULL CHECK (remaining >= 0),
  expires_at timestamptz(3),
  source_key text,
  created_at timestamptz(3) NOT NULL,
  granted bigint,
  taken_back bigint NOT NULL DEFAULT 0 CHECK (taken_back >= 0),
  CONSTRAINT virtual_currency_lots_once UNIQUE (project_id, source_key, code),
  PRIMARY KEY (project_id, customer_id, code, id),
  FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE
) WITH (fillfactor = 80);

-- Append-only.
CREATE TABLE virtual_currency_transactions (
  project_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  code text NOT NULL COLLATE "C",
  customer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('product_grant', 'refund', 'adjustment', 'balance_update')),
  amount bigint NOT NULL,
  reference text,
  source_key text,
  PRIMARY KEY (project_id, created_at, id, code),
  FOREIGN KEY (project_id, code) REFERENCES virtual_currencies (project_id, code) ON DELETE CASCADE
);
CREATE INDEX virtual_currency_transactions_by_customer
  ON virtual_currency_transactions (project_id, customer_id, created_at);

CREATE TABLE self_checks (
  project_id text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  after_customer_id text NOT NULL DEFAULT '',
  lease_until timestamptz(3),
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE FUNCTION mark_deleted_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Nothing is counted while a whole project is being removed.
  INSERT INTO metric_changes (project_id, purchase_id, changed_at)
  SELECT d.project_id, d.id, now() FROM deleted d JOIN projects p ON p.id = d.project_id
  WHERE p.deleted_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER subscriptions_deleted AFTER DELETE ON subscriptions REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_deleted_purchases();
CREATE TRIGGER one_time_purchases_deleted AFTER DELETE ON one_time_purchases REFERENCING OLD TABLE AS deleted
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_deleted_purchases();

-- A ledger entry counts once, whichever month it is recorded in: duplicates are skipped.
CREATE FUNCTION forget_store_transaction_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM store_transaction_keys
  WHERE (project_id, store, environment, owner_key, period_key, kind, kind_seq) =
    (OLD.project_id, OLD.store, OLD.environment, OLD.owner_key, OLD.period_key, OLD.kind, OLD.kind_seq);
  RETURN OLD;
END
$$;
CREATE TRIGGER store_transactions_forgotten BEFORE DELETE ON store_transactions
  FOR EACH ROW
  EXECUTE FUNCTION forget_store_transaction_keys();
CREATE FUNCTION note_store_transaction_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO store_transaction_keys (project_id, store, environment, owner_key, period_key, kind, kind_seq,
    recorded_at, id)
  VALUES (NEW.project_id, NEW.store, NEW.environment, NEW.owner_key, NEW.period_key, NEW.kind, NEW.kind_seq,
    NEW.recorded_at, NEW.id)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER store_transactions_noted BEFORE INSERT ON store_transactions
  FOR EACH ROW
  EXECUTE FUNCTION note_store_transaction_keys();
`;
