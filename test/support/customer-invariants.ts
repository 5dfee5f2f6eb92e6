import type { DataSource } from 'typeorm';

/** Invariants between the tables of customers after any sequence of requests; each query finds violations. */
const rules: Record<string, string> = {
  'an id leads to a customer': `SELECT a.app_user_id FROM customer_aliases a LEFT JOIN customers c
    ON c.project_id = a.project_id AND c.id = a.customer_id WHERE c.id IS NULL`,
  'a customer has an id': `SELECT c.id FROM customers c LEFT JOIN customer_aliases a
    ON a.project_id = c.project_id AND a.customer_id = c.id WHERE a.app_user_id IS NULL`,
  'the original id of a customer is theirs': `SELECT c.original_app_user_id FROM customers c
    LEFT JOIN customer_aliases a ON a.project_id = c.project_id AND a.customer_id = c.id
      AND a.app_user_id = c.original_app_user_id WHERE a.app_user_id IS NULL`,
  'a subscription has an owner': `SELECT s.id FROM subscriptions s LEFT JOIN customers c
    ON c.project_id = s.project_id AND c.id = s.customer_id WHERE c.id IS NULL`,
  'a one-time purchase has an owner': `SELECT p.id FROM one_time_purchases p LEFT JOIN customers c
    ON c.project_id = p.project_id AND c.id = p.customer_id WHERE c.id IS NULL`,
  'money belongs to the owner of the purchase': `SELECT t.id FROM store_transactions t
    LEFT JOIN subscriptions s ON s.project_id = t.project_id AND s.id = t.subscription_id
    LEFT JOIN one_time_purchases p ON p.project_id = t.project_id AND p.id = t.purchase_id
    WHERE coalesce(s.customer_id, p.customer_id) IS DISTINCT FROM t.customer_id`,
  'attributes belong to a customer': `SELECT t.name FROM customer_attributes t LEFT JOIN customers c
    ON c.project_id = t.project_id AND c.id = t.customer_id WHERE c.id IS NULL`,
  'a prepared answer belongs to a customer': `SELECT s.customer_id FROM customer_snapshots s LEFT JOIN customers c
    ON c.project_id = s.project_id AND c.id = s.customer_id WHERE c.id IS NULL`,
  'an event belongs to a customer': `SELECT e.id FROM events e LEFT JOIN customers c
    ON c.project_id = e.project_id AND c.id = e.customer_id WHERE e.customer_id IS NOT NULL AND c.id IS NULL`,
  'a delivery has its event': `SELECT d.id FROM webhook_deliveries d LEFT JOIN events e
    ON e.project_id = d.project_id AND e.created_at = d.event_created_at AND e.id = d.event_id WHERE e.id IS NULL`,
  'an ownership record belongs to a purchase': `SELECT o.id FROM ownership_changes o
    WHERE NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.project_id = o.project_id AND s.id = o.purchase_id)
      AND NOT EXISTS (SELECT 1 FROM one_time_purchases p WHERE p.project_id = o.project_id AND p.id = o.purchase_id)`,
};

/** Reads purchases with a function, which cannot run on the shards of a Citus cluster. */
const rulesOfFunctions: Record<string, string> = {
  'a row for lists that is not marked equals the customer and their purchases': `
    SELECT coalesce(l.customer_id, c.id) AS customer, to_json(l) AS stored, to_json(p) AS computed, m.spent, m.refunds
    FROM listed_customers l FULL JOIN customers c ON c.project_id = l.project_id AND c.id = l.customer_id
    LEFT JOIN LATERAL listed_purchases(c.project_id, c.id) p ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'production'), 0) AS spent,
        coalesce(sum(t.usd_micros) FILTER (WHERE t.environment = 'sandbox'), 0) AS sandbox_spent,
        count(*) FILTER (WHERE t.kind = 'refund') - count(*) FILTER (WHERE t.kind = 'refund_reversal') AS refunds
      FROM store_transactions t WHERE t.project_id = c.project_id AND t.customer_id = c.id) m ON true
    WHERE NOT EXISTS (SELECT 1 FROM listed_customer_changes x WHERE x.project_id = coalesce(l.project_id, c.project_id)
      AND x.customer_id = coalesce(l.customer_id, c.id)) AND (l.customer_id IS NULL OR c.id IS NULL
      OR (l.first_seen_at, l.last_seen_at, l.clock_at, l.access_until, l.trial_until, l.grace_until,
          l.sandbox_access_until, l.sandbox_trial_until, l.sandbox_grace_until, l.spent_usd_micros,
          l.sandbox_spent_usd_micros, l.refunds + l.sandbox_refunds)
        IS DISTINCT FROM (c.first_seen_at, coalesce(c.last_seen_at, c.first_seen_at), c.test_clock_at, p.access_until,
          p.trial_until, p.grace_until, p.sandbox_access_until, p.sandbox_trial_until, p.sandbox_grace_until, m.spent,
          m.sandbox_spent, m.refunds)
      OR ARRAY(SELECT t FROM unnest(l.tags) t ORDER BY t) IS DISTINCT FROM ARRAY(SELECT t FROM unnest(p.tags ||
        listed_device_tags(c.project_id, c.last_seen_platform, coalesce(c.last_seen_country, (
          SELECT (array_agg(t.country ORDER BY t.purchased_at DESC, t.id DESC))[1] FROM store_transactions t
          WHERE t.project_id = c.project_id AND t.customer_id = c.id AND t.country IS NOT NULL)),
          c.last_seen_app_version)) t ORDER BY t))`,
};

/** Names of the rules that rows break, with those rows; empty when the data is whole. */
export async function brokenInvariants(dataSource: DataSource): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  const applied = process.env.TEST_CITUS ? rules : { ...rules, ...rulesOfFunctions };
  for (const [rule, query] of Object.entries(applied)) {
    const rows = await dataSource.query<unknown[]>(query);
    if (rows.length > 0) broken[rule] = rows;
  }
  return broken;
}
