/**
 * One row for each customer, for lists with filters. `tags` has every value that a filter compares for equality, after
 * the project's id: `proj1|country:DE`. Values about the sandbox start with `sandbox:`.
 */
export const listedCustomers = `
CREATE TABLE listed_customers (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  -- The first time if the customer's device has never called.
  last_seen_at timestamptz(3) NOT NULL,
  -- The customer's own time; null: the current time.
  clock_at timestamptz(3),
  tags text[] NOT NULL,
  -- Latest end of a subscription that gives access, of a trial, of a grace period; null if there is none.
  access_until timestamptz(3),
  trial_until timestamptz(3),
  grace_until timestamptz(3),
  sandbox_access_until timestamptz(3),
  sandbox_trial_until timestamptz(3),
  sandbox_grace_until timestamptz(3),
  spent_usd_micros bigint NOT NULL DEFAULT 0,
  sandbox_spent_usd_micros bigint NOT NULL DEFAULT 0,
  -- Refunds without a reversal.
  refunds integer NOT NULL DEFAULT 0,
  sandbox_refunds integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, customer_id)
) WITH (fillfactor = 80);
CREATE INDEX listed_customers_by_last_seen ON listed_customers (project_id, last_seen_at, customer_id);
CREATE INDEX listed_customers_by_first_seen ON listed_customers (project_id, first_seen_at, customer_id);
CREATE INDEX listed_customers_by_spent ON listed_customers (project_id, spent_usd_micros, customer_id);
CREATE INDEX listed_customers_by_sandbox_spent
  ON listed_customers (project_id, sandbox_spent_usd_micros, customer_id);
CREATE INDEX listed_customers_refunded ON listed_customers (project_id) WHERE refunds > 0;
CREATE INDEX listed_customers_sandbox_refunded ON listed_customers (project_id) WHERE sandbox_refunds > 0;
-- Without a list of pending entries: a purchase must never have to merge those of others.
CREATE INDEX listed_customers_by_tag ON listed_customers USING gin (tags) WITH (fastupdate = off);

-- How far the rows of customers from before this table have come. A project without a row here is complete.
CREATE TABLE listed_customer_fills (
  project_id text NOT NULL PRIMARY KEY,
  after_customer_id text NOT NULL DEFAULT ''
);

CREATE FUNCTION listed_device_tags(project text, platform text, country text, app_version text)
RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(project || '|' || t.tag ORDER BY t.tag COLLATE "C"), '{}') FROM (VALUES
    ('platform:' || lower(platform)), ('country:' || upper(country)), ('version:' || app_version)) AS t (tag)
  WHERE t.tag IS NOT NULL
$$;

CREATE FUNCTION listed_purchases(project text, customer text, OUT tags text[],
  OUT access_until timestamptz, OUT trial_until timestamptz, OUT grace_until timestamptz,
  OUT sandbox_access_until timestamptz, OUT sandbox_trial_until timestamptz, OUT sandbox_grace_until timestamptz)
LANGUAGE sql STABLE AS $$
  WITH owned AS (
    SELECT CASE s.environment WHEN 'sandbox' THEN 'sandbox:' ELSE '' END AS place, s.environment, s.app_id, s.store,
      s.store_product_id, s.status, s.granted_entitlement_id, s.facts,
      s.status IN ('trialing', 'active', 'in_grace_period') AS is_live, coalesce(s.access_ends_at, 'infinity') AS ends_at,
      s.store <> 'promotional' AS is_subscription
    FROM subscriptions s WHERE s.project_id = project AND s.customer_id = customer
    UNION ALL
    SELECT CASE o.environment WHEN 'sandbox' THEN 'sandbox:' ELSE '' END, o.environment, o.app_id, o.store,
      o.store_product_id, o.status, NULL, o.facts, o.status = 'owned', NULL, false
    FROM one_time_purchases o WHERE o.project_id = project AND o.customer_id = customer
  ), named AS (
    -- A product by its name, by subscription and plan, and by the plan alone where a price is a product.
    SELECT o.place, o.app_id || '/' || n.name AS product, o.is_live AND f.is_current AS is_live
    FROM owned o CROSS JOIN LATERAL (
      SELECT p.sold ->> 'storeProductId' AS id, p.sold ->> 'planId' AS plan,
        p.is_add_on OR p.sold ->> 'storeProductId' = o.store_product_id AS is_current
      FROM (
        SELECT e.value -> 'value' AS sold, false AS is_add_on FROM json_each(o.facts -> 'periods') e
        UNION ALL SELECT e.value -> 'value', false FROM json_each(o.facts #> '{imported,periods}') e
        UNION ALL SELECT e.value -> 'value', true FROM json_each(o.facts -> 'addOns') e
        UNION ALL SELECT o.facts #> '{purchase,value}', false
        UNION ALL SELECT o.facts #> '{imported,purchase,value}', false) p) f
    CROSS JOIN LATERAL (VALUES (f.id), (f.id || ':' || f.plan), (f.plan)) AS n (name)
    WHERE o.app_id IS NOT NULL AND n.name IS NOT NULL
  ), found AS (
    SELECT o.place || 'store:' || o.store AS tag FROM owned o
    UNION SELECT o.place || t.tag FROM owned o CROSS JOIN LATERAL (VALUES
      (CASE WHEN o.store <> 'promotional' THEN 'bought' END),
      (CASE WHEN o.is_subscription THEN 'subscribed' END),
      (CASE WHEN o.is_live AND o.ends_at IS NOT NULL THEN 'live' END),
      (CASE WHEN o.status = 'trialing' THEN 'trial' END),
      (CASE WHEN o.status = 'in_grace_period' THEN 'grace' END),
      (CASE WHEN o.status IN ('in_grace_period', 'in_billing_retry') THEN 'billing_issue' END),
      ('grant:' || o.granted_entitlement_id),
      (CASE WHEN o.is_live THEN 'live_grant:' || o.granted_entitlement_id END)) AS t (tag)
    UNION SELECT n.place || 'product:' || n.product FROM named n
    UNION SELECT n.place || 'live_product:' || n.product FROM named n WHERE n.is_live
    UNION SELECT e.place || 'never_bought' FROM (VALUES ('', 'production'), ('sandbox:', 'sandbox')) AS e (place, environment)
    WHERE NOT EXISTS (SELECT 1 FROM owned o WHERE o.environment = e.environment AND o.store <> 'promotional')
  ), ends AS (
    SELECT
      max(o.ends_at) FILTER (WHERE o.is_live AND o.environment = 'production') AS access_until,
      max(o.ends_at) FILTER (WHERE o.status = 'trialing' AND o.environment = 'production') AS trial_until,
      max(o.ends_at) FILTER (WHERE o.status = 'in_grace_period' AND o.environment = 'production') AS grace_until,
      max(o.ends_at) FILTER (WHERE o.is_live AND o.environment = 'sandbox') AS sandbox_access_until,
      max(o.ends_at) FILTER (WHERE o.status = 'trialing' AND o.environment = 'sandbox') AS sandbox_trial_until,
      max(o.ends_at) FILTER (WHERE o.status = 'in_grace_period' AND o.environment = 'sandbox') AS sandbox_grace_until
    FROM owned o
  )
  SELECT (SELECT coalesce(array_agg(project || '|' || f.tag ORDER BY f.tag COLLATE "C"), '{}') FROM found f
    WHERE f.tag IS NOT NULL), e.* FROM ends e
$$;
`;

const device = 'c.last_seen_platform, c.last_seen_country, c.last_seen_app_version';
const before = device.replaceAll('c.', 'o.');

/**
 * Triggers, so that whatever changes a customer, and a server of an earlier version, keeps the row right in the same
 * transaction. Every change of purchases raises the version of their customer.
 */
export const listedCustomerTriggers = `
CREATE FUNCTION list_new_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, clock_at, tags)
  SELECT c.project_id, c.id, c.first_seen_at, coalesce(c.last_seen_at, c.first_seen_at), c.test_clock_at,
    listed_device_tags(c.project_id, ${device})
      || ARRAY[c.project_id || '|never_bought', c.project_id || '|sandbox:never_bought']
  FROM added c ON CONFLICT (project_id, customer_id) DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_listed AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION list_new_customers();

CREATE FUNCTION list_changed_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listed_customers l SET first_seen_at = n.first_seen_at, last_seen_at = n.last_seen_at, clock_at = n.clock_at,
    tags = n.tags, access_until = n.access_until, trial_until = n.trial_until, grace_until = n.grace_until,
    sandbox_access_until = n.sandbox_access_until, sandbox_trial_until = n.sandbox_trial_until,
    sandbox_grace_until = n.sandbox_grace_until
  FROM (
    SELECT c.project_id, c.id, c.first_seen_at, coalesce(c.last_seen_at, c.first_seen_at) AS last_seen_at,
      c.test_clock_at AS clock_at,
      listed_device_tags(c.project_id, ${device}) || p.tags AS tags,
      p.access_until, p.trial_until, p.grace_until, p.sandbox_access_until, p.sandbox_trial_until, p.sandbox_grace_until
    FROM changed c JOIN former o ON o.project_id = c.project_id AND o.id = c.id
    CROSS JOIN LATERAL listed_purchases(c.project_id, c.id) p
    WHERE c.version <> o.version OR (${device}, c.test_clock_at) IS DISTINCT FROM (${before}, o.test_clock_at)) n
  WHERE l.project_id = n.project_id AND l.customer_id = n.id
    AND (l.first_seen_at, l.last_seen_at, l.clock_at, l.tags, l.access_until, l.trial_until, l.grace_until,
        l.sandbox_access_until, l.sandbox_trial_until, l.sandbox_grace_until)
      IS DISTINCT FROM (n.first_seen_at, n.last_seen_at, n.clock_at, n.tags, n.access_until, n.trial_until,
        n.grace_until, n.sandbox_access_until, n.sandbox_trial_until, n.sandbox_grace_until);
  UPDATE listed_customers l SET first_seen_at = c.first_seen_at, last_seen_at = coalesce(c.last_seen_at, c.first_seen_at)
  FROM changed c JOIN former o ON o.project_id = c.project_id AND o.id = c.id
  WHERE c.version = o.version AND (${device}, c.test_clock_at) IS NOT DISTINCT FROM (${before}, o.test_clock_at)
    AND (c.first_seen_at, c.last_seen_at) IS DISTINCT FROM (o.first_seen_at, o.last_seen_at)
    AND l.project_id = c.project_id AND l.customer_id = c.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_relisted AFTER UPDATE ON customers REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION list_changed_customers();

CREATE FUNCTION unlist_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_customers l USING removed c WHERE l.project_id = c.project_id AND l.customer_id = c.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_unlisted AFTER DELETE ON customers REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION unlist_customers();

CREATE FUNCTION list_spending(project text, customer text, is_sandbox boolean, usd_micros numeric, refunds bigint)
RETURNS void LANGUAGE sql AS $$
  UPDATE listed_customers l SET
    spent_usd_micros = l.spent_usd_micros + CASE WHEN is_sandbox THEN 0 ELSE usd_micros END,
    refunds = l.refunds + CASE WHEN is_sandbox THEN 0 ELSE list_spending.refunds END,
    sandbox_spent_usd_micros = l.sandbox_spent_usd_micros + CASE WHEN is_sandbox THEN usd_micros ELSE 0 END,
    sandbox_refunds = l.sandbox_refunds + CASE WHEN is_sandbox THEN list_spending.refunds ELSE 0 END
  WHERE l.project_id = project AND l.customer_id = customer
$$;

CREATE FUNCTION list_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE m record;
BEGIN
  FOR m IN SELECT t.project_id, t.customer_id, t.environment, sum(coalesce(t.usd_micros, 0)) AS usd_micros,
      sum(CASE t.kind WHEN 'refund' THEN 1 WHEN 'refund_reversal' THEN -1 ELSE 0 END) AS refunds
    FROM added t GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    CONTINUE WHEN m.usd_micros = 0 AND m.refunds = 0;
    PERFORM list_spending(m.project_id, m.customer_id, m.environment = 'sandbox', m.usd_micros, m.refunds);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER store_transactions_listed AFTER INSERT ON store_transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION list_ledger_entries();

CREATE FUNCTION relist_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE m record;
BEGIN
  FOR m IN SELECT t.project_id, t.customer_id, t.environment, sum(t.sign * coalesce(t.usd_micros, 0)) AS usd_micros,
      sum(t.sign * CASE t.kind WHEN 'refund' THEN 1 WHEN 'refund_reversal' THEN -1 ELSE 0 END) AS refunds
    FROM (
      SELECT project_id, customer_id, environment, kind, usd_micros, 1 AS sign FROM changed
      UNION ALL SELECT project_id, customer_id, environment, kind, usd_micros, -1 FROM former) t
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    CONTINUE WHEN m.usd_micros = 0 AND m.refunds = 0;
    PERFORM list_spending(m.project_id, m.customer_id, m.environment = 'sandbox', m.usd_micros, m.refunds);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER store_transactions_relisted AFTER UPDATE ON store_transactions
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION relist_ledger_entries();

CREATE FUNCTION unlist_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE m record;
BEGIN
  FOR m IN SELECT t.project_id, t.customer_id, t.environment, -sum(coalesce(t.usd_micros, 0)) AS usd_micros,
      -sum(CASE t.kind WHEN 'refund' THEN 1 WHEN 'refund_reversal' THEN -1 ELSE 0 END) AS refunds
    FROM removed t JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    CONTINUE WHEN m.usd_micros = 0 AND m.refunds = 0;
    PERFORM list_spending(m.project_id, m.customer_id, m.environment = 'sandbox', m.usd_micros, m.refunds);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER store_transactions_unlisted AFTER DELETE ON store_transactions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION unlist_ledger_entries();

-- Lists the given customers, whose rows must be locked. Skips those that are listed already.
CREATE FUNCTION list_existing_customers(project text, customers text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_customers (project_id, customer_id, first_seen_at, last_seen_at, clock_at, tags, access_until,
    trial_until, grace_until, sandbox_access_until, sandbox_trial_until, sandbox_grace_until, spent_usd_micros,
    sandbox_spent_usd_micros, refunds, sandbox_refunds)
  SELECT c.project_id, c.id, c.first_seen_at, coalesce(c.last_seen_at, c.first_seen_at), c.test_clock_at,
    listed_device_tags(c.project_id, ${device}) || p.tags,
    p.access_until, p.trial_until, p.grace_until, p.sandbox_access_until, p.sandbox_trial_until, p.sandbox_grace_until,
    m.spent, m.sandbox_spent, m.refunds, m.sandbox_refunds
  FROM customers c
  CROSS JOIN LATERAL listed_purchases(c.project_id, c.id) p
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'production'), 0) AS spent,
      coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'sandbox'), 0) AS sandbox_spent,
      coalesce(sum(k.refunds) FILTER (WHERE t.environment = 'production'), 0) AS refunds,
      coalesce(sum(k.refunds) FILTER (WHERE t.environment = 'sandbox'), 0) AS sandbox_refunds
    FROM store_transactions t CROSS JOIN LATERAL (
      SELECT CASE t.kind WHEN 'refund' THEN 1 WHEN 'refund_reversal' THEN -1 ELSE 0 END AS refunds) k
    WHERE t.project_id = project AND t.customer_id = c.id) m
  WHERE c.project_id = project AND c.id = ANY (customers)
  ON CONFLICT (project_id, customer_id) DO NOTHING
$$;

INSERT INTO listed_customer_fills (project_id) SELECT id FROM projects WHERE deleted_at IS NULL;
`;
