/** The country that a device sent last; without one, that of the newest purchase with a country. */
export const purchaseCountries = `
CREATE FUNCTION listed_country(project text, customer text, seen text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(seen, (SELECT t.country FROM store_transactions t
    WHERE t.project_id = project AND t.customer_id = customer AND t.country IS NOT NULL
    ORDER BY t.purchased_at DESC, t.id DESC LIMIT 1))
$$;

-- As before, with the country of a purchase.
CREATE OR REPLACE FUNCTION list_customers(project text, customers text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_customers AS l (project_id, customer_id, first_seen_at, last_seen_at, clock_at, tags, access_until,
    trial_until, grace_until, sandbox_access_until, sandbox_trial_until, sandbox_grace_until, spent_usd_micros,
    sandbox_spent_usd_micros, refunds, sandbox_refunds)
  SELECT c.project_id, c.id, c.first_seen_at, coalesce(c.last_seen_at, c.first_seen_at), c.test_clock_at,
    listed_device_tags(c.project_id, c.last_seen_platform, listed_country(project, c.id, c.last_seen_country),
      c.last_seen_app_version) || p.tags,
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

-- The rows of earlier customers are computed again.
INSERT INTO listed_customer_fills AS f (project_id) SELECT p.id FROM projects p WHERE p.deleted_at IS NULL
ON CONFLICT (project_id) DO UPDATE SET after_customer_id = '';
`;
