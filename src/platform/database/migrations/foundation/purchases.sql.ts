const stores = `('amazon', 'app_store', 'mac_app_store', 'play_store', 'promotional', 'stripe', 'rc_billing',
    'roku', 'paddle', 'test_store')`;

/** Chains, one-time purchases, the money ledger and the event log. */
export const purchaseTables = `
CREATE TABLE subscriptions (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text,
  store text NOT NULL CHECK (store IN ${stores}),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  chain_key text NOT NULL,
  customer_id text NOT NULL,
  original_customer_id text NOT NULL,
  original_customer_app_user_id text NOT NULL,
  store_product_id text,
  store_identifiers text[] NOT NULL,
  facts json NOT NULL,
  facts_at_ms bigint NOT NULL,
  memory json NOT NULL,
  started_at timestamptz(3) NOT NULL,
  access_ends_at timestamptz(3),
  status text NOT NULL
    CHECK (status IN ('trialing', 'active', 'in_grace_period', 'in_billing_retry', 'paused', 'expired')),
  next_due_at timestamptz(3),
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  CONSTRAINT subscriptions_chain_unique UNIQUE (project_id, store, environment, chain_key)
) WITH (fillfactor = 80);
CREATE INDEX subscriptions_by_customer ON subscriptions (project_id, customer_id, started_at DESC, id);

CREATE TABLE one_time_purchases (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text,
  store text NOT NULL CHECK (store IN ${stores}),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  purchase_key text NOT NULL,
  customer_id text NOT NULL,
  original_customer_id text NOT NULL,
  original_customer_app_user_id text NOT NULL,
  store_product_id text,
  store_identifiers text[] NOT NULL,
  facts json NOT NULL,
  facts_at_ms bigint NOT NULL,
  memory json NOT NULL,
  purchased_at timestamptz(3) NOT NULL,
  status text NOT NULL CHECK (status IN ('owned', 'refunded')),
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  CONSTRAINT one_time_purchases_key_unique UNIQUE (project_id, store, environment, purchase_key)
) WITH (fillfactor = 80);
CREATE INDEX one_time_purchases_by_customer ON one_time_purchases (project_id, customer_id, purchased_at DESC, id);

-- Append-only money ledger. A null amount is an unknown price, never zero.
CREATE TABLE store_transactions (
  project_id text NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  id text NOT NULL,
  customer_id text NOT NULL,
  subscription_id text,
  purchase_id text,
  app_id text,
  store text NOT NULL CHECK (store IN ${stores}),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  kind text NOT NULL CHECK (kind IN ('purchase', 'trial_start', 'renewal', 'one_time', 'refund',
    'refund_reversal', 'proration', 'correction')),
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
  PRIMARY KEY (project_id, recorded_at, id),
  CONSTRAINT store_transactions_once UNIQUE (project_id, store, environment, owner_key, period_key, kind, kind_seq),
  CHECK ((subscription_id IS NULL) <> (purchase_id IS NULL))
);
CREATE INDEX store_transactions_by_subscription ON store_transactions (project_id, subscription_id, purchased_at)
  WHERE subscription_id IS NOT NULL;
CREATE INDEX store_transactions_by_purchase ON store_transactions (project_id, purchase_id)
  WHERE purchase_id IS NOT NULL;

-- Append-only event log; body is the webhook event, frozen when it is recorded.
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
  PRIMARY KEY (project_id, created_at, id),
  CONSTRAINT events_once UNIQUE (project_id, dedupe_key)
);
CREATE INDEX events_by_customer ON events (project_id, customer_id, occurred_at DESC, id);
CREATE INDEX events_by_other_customer ON events (project_id, other_customer_id, occurred_at DESC, id)
  WHERE other_customer_id IS NOT NULL;
`;
