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

-- Customers whose row is not up to date.
CREATE TABLE listed_customer_changes (
  project_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  PRIMARY KEY (project_id, id)
);

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

-- Adds tags for the products of a purchase: by their name, by subscription and plan, and by the plan alone where a price
-- is a product. "current" is the product that gives access now; null: none.
CREATE FUNCTION listed_products(known text[], place text, app_id text, periods json, current text)
RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE sold record; last_id text; last_plan text; names text[]; product text;
BEGIN
  FOR sold IN
    SELECT e.value #>> '{value,storeProductId}' AS id, e.value #>> '{value,planId}' AS plan FROM json_each(periods) e
  LOOP
    -- Most periods are of the same product.
    CONTINUE WHEN sold.id IS NULL OR (sold.id = last_id AND sold.plan IS NOT DISTINCT FROM last_plan);
    last_id := sold.id;
    last_plan := sold.plan;
    names := CASE WHEN sold.plan IS NULL THEN ARRAY[sold.id] ELSE ARRAY[sold.id, sold.id || ':' || sold.plan, sold.plan] END;
    FOREACH product IN ARRAY names
    LOOP
      known := known || (place || 'product:' || app_id || '/' || product);
      IF sold.id = current THEN known := known || (place || 'live_product:' || app_id || '/' || product); END IF;
    END LOOP;
  END LOOP;
  RETURN known;
END
$$;

-- The tags and times of a customer's purchases. Steps are quicker than one query.
CREATE FUNCTION listed_purchases(project text, customer text, OUT tags text[],
  OUT access_until timestamptz, OUT trial_until timestamptz, OUT grace_until timestamptz,
  OUT sandbox_access_until timestamptz, OUT sandbox_trial_until timestamptz, OUT sandbox_grace_until timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  known text[] := '{}'; place text; own record; current text; add_on text; ends_at timestamptz; is_live boolean;
  has_bought boolean := false; has_bought_in_sandbox boolean := false;
BEGIN
  FOR own IN
    SELECT s.environment, s.app_id, s.store, s.store_product_id, s.status, s.granted_entitlement_id, s.facts,
      s.access_ends_at
    FROM subscriptions s WHERE s.project_id = project AND s.customer_id = customer
  LOOP
    place := CASE own.environment WHEN 'sandbox' THEN 'sandbox:' ELSE '' END;
    ends_at := coalesce(own.access_ends_at, 'infinity');
    is_live := own.status IN ('trialing', 'active', 'in_grace_period');
    known := known || (place || 'store:' || own.store);
    IF own.store <> 'promotional' THEN
      known := known || (place || 'bought') || (place || 'subscribed');
      IF place = '' THEN has_bought := true; ELSE has_bought_in_sandbox := true; END IF;
    END IF;
    IF own.granted_entitlement_id IS NOT NULL THEN
      known := known || (place || 'grant:' || own.granted_entitlement_id);
      IF is_live THEN known := known || (place || 'live_grant:' || own.granted_entitlement_id); END IF;
    END IF;
    IF own.status IN ('in_grace_period', 'in_billing_retry') THEN known := known || (place || 'billing_issue'); END IF;
    current := CASE WHEN is_live THEN own.store_product_id END;
    IF own.app_id IS NOT NULL THEN
      known := listed_products(known, place, own.app_id, own.facts -> 'periods', current);
      IF strpos(own.facts::text, '"imported"') > 0 THEN
        known := listed_products(known, place, own.app_id, own.facts #> '{imported,periods}', current);
      END IF;
      IF strpos(own.facts::text, '"addOns"') > 0 THEN
        FOR add_on IN SELECT DISTINCT e.value #>> '{value,storeProductId}' FROM json_each(own.facts -> 'addOns') e
        LOOP
          known := listed_products(known, place, own.app_id, own.facts -> 'addOns', CASE WHEN is_live THEN add_on END);
        END LOOP;
      END IF;
    END IF;
    CONTINUE WHEN NOT is_live;
    known := known || (place || 'live');
    IF own.status = 'trialing' THEN known := known || (place || 'trial'); END IF;
    IF own.status = 'in_grace_period' THEN known := known || (place || 'grace'); END IF;
    IF place = '' THEN
      access_until := greatest(access_until, ends_at);
      IF own.status = 'trialing' THEN trial_until := greatest(trial_until, ends_at); END IF;
      IF own.status = 'in_grace_period' THEN grace_until := greatest(grace_until, ends_at); END IF;
    ELSE
      sandbox_access_until := greatest(sandbox_access_until, ends_at);
      IF own.status = 'trialing' THEN sandbox_trial_until := greatest(sandbox_trial_until, ends_at); END IF;
      IF own.status = 'in_grace_period' THEN sandbox_grace_until := greatest(sandbox_grace_until, ends_at); END IF;
    END IF;
  END LOOP;
  FOR own IN
    SELECT o.environment, o.app_id, o.store, o.store_product_id, o.status, o.facts
    FROM one_time_purchases o WHERE o.project_id = project AND o.customer_id = customer
  LOOP
    place := CASE own.environment WHEN 'sandbox' THEN 'sandbox:' ELSE '' END;
    known := known || (place || 'store:' || own.store) || (place || 'bought');
    IF place = '' THEN has_bought := true; ELSE has_bought_in_sandbox := true; END IF;
    CONTINUE WHEN own.app_id IS NULL;
    known := listed_products(known, place, own.app_id, json_build_object('bought', own.facts -> 'purchase',
      'imported', own.facts #> '{imported,purchase}'), CASE own.status WHEN 'owned' THEN own.store_product_id END);
  END LOOP;
  IF NOT has_bought THEN known := known || 'never_bought'::text; END IF;
  IF NOT has_bought_in_sandbox THEN known := known || 'sandbox:never_bought'::text; END IF;
  tags := ARRAY(SELECT DISTINCT project || '|' || t.tag COLLATE "C" FROM unnest(known) AS t (tag) ORDER BY 1);
END
$$;
`;

const device = 'c.last_seen_platform, c.last_seen_country, c.last_seen_app_version';
const before = device.replaceAll('c.', 'o.');

/**
 * Triggers, so that a server of an earlier version marks the customers that it changes, too. Every change of purchases
 * raises the version of their customer. Purchases pay for a mark only: rows follow later.
 */
export const listedCustomerTriggers = `
CREATE FUNCTION mark_new_customers_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customer_changes (project_id, customer_id) SELECT c.project_id, c.id FROM added c;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_listed AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_new_customers_for_lists();

-- Customers who are only seen again need no new row.
CREATE FUNCTION mark_changed_customers_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customer_changes (project_id, customer_id)
  SELECT c.project_id, c.id FROM changed c JOIN former o ON o.project_id = c.project_id AND o.id = c.id
  WHERE c.version <> o.version OR (${device}, c.test_clock_at) IS DISTINCT FROM (${before}, o.test_clock_at);
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
  EXECUTE FUNCTION mark_changed_customers_for_lists();

-- The mark removes a row that another transaction adds at the same time.
CREATE FUNCTION unlist_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_customers l USING removed c WHERE l.project_id = c.project_id AND l.customer_id = c.id;
  INSERT INTO listed_customer_changes (project_id, customer_id)
  SELECT c.project_id, c.id FROM removed c JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER customers_unlisted AFTER DELETE ON customers REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION unlist_customers();

-- An amount that the store reports later does not raise the version.
CREATE FUNCTION mark_ledger_owners_for_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_customer_changes (project_id, customer_id)
  SELECT DISTINCT owner.project_id, owner.customer_id FROM changed owner
  JOIN projects p ON p.id = owner.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER store_transactions_relisted AFTER UPDATE ON store_transactions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_ledger_owners_for_lists();
CREATE TRIGGER store_transactions_unlisted AFTER DELETE ON store_transactions REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION mark_ledger_owners_for_lists();

-- Computes the rows of the given customers. One transaction at a time does so for a project. The time a customer was
-- seen may have advanced since the statement began.
CREATE FUNCTION list_customers(project text, customers text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_customers AS l (project_id, customer_id, first_seen_at, last_seen_at, clock_at, tags, access_until,
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
  ON CONFLICT (project_id, customer_id) DO UPDATE SET
    first_seen_at = excluded.first_seen_at, last_seen_at = greatest(l.last_seen_at, excluded.last_seen_at),
    clock_at = excluded.clock_at, tags = excluded.tags, access_until = excluded.access_until,
    trial_until = excluded.trial_until, grace_until = excluded.grace_until,
    sandbox_access_until = excluded.sandbox_access_until, sandbox_trial_until = excluded.sandbox_trial_until,
    sandbox_grace_until = excluded.sandbox_grace_until, spent_usd_micros = excluded.spent_usd_micros,
    sandbox_spent_usd_micros = excluded.sandbox_spent_usd_micros, refunds = excluded.refunds,
    sandbox_refunds = excluded.sandbox_refunds;
  DELETE FROM listed_customers l WHERE l.project_id = project AND l.customer_id = ANY (customers)
    AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.project_id = project AND c.id = l.customer_id)
$$;

INSERT INTO listed_customer_fills (project_id) SELECT id FROM projects WHERE deleted_at IS NULL;
`;
