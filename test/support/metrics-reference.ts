import type { TestServer } from './test-server.js';

export interface ReferenceFigures {
  trials: number;
  subscriptions: number;
  mrr: number;
  revenue: number;
  transactions: number;
}

/**
 * The definitions of the metrics as one plain query on ledger and facts, for one moment ($3) and the money of
 * one span ($4 until $3, epoch ms): slow, and with nothing in common with the product's own way.
 */
const reference = `
WITH periods AS (
  SELECT s.id, s.app_id, p.key,
    (p.value #>> '{value,startMs}')::bigint AS starts, (p.value #>> '{value,endMs}')::bigint AS ends,
    p.value #>> '{value,kind}' AS kind, p.value #>> '{value,ownership}' AS ownership,
    p.value #>> '{value,storeProductId}' AS product,
    lead((p.value #>> '{value,startMs}')::bigint) OVER w AS next_starts,
    row_number() OVER (PARTITION BY s.id ORDER BY (p.value #>> '{value,startMs}')::bigint DESC, p.key DESC) = 1 AS is_latest,
    CASE WHEN s.facts #>> ARRAY['refunds', p.key, 'value', 'kind'] <> 'partial'
      THEN (s.facts #>> ARRAY['refunds', p.key, 'value', 'revokedAtMs'])::bigint END AS refunded,
    (s.facts #>> '{replaced,value,atMs}')::bigint AS replaced,
    (s.facts #>> '{renewal,value,graceUntilMs}')::bigint AS grace
  FROM subscriptions s CROSS JOIN LATERAL json_each(s.facts -> 'periods') p
  WHERE s.project_id = $1 AND s.environment = $2 AND s.store <> 'promotional'
  WINDOW w AS (PARTITION BY s.id ORDER BY (p.value #>> '{value,startMs}')::bigint, p.key)
), spans AS (
  SELECT p.*, least(
      CASE WHEN p.is_latest AND p.kind <> 'trial' THEN greatest(p.ends, CASE WHEN p.ends IS NOT NULL THEN p.grace END)
        ELSE p.ends END,
      p.next_starts, p.refunded, CASE WHEN p.is_latest AND p.refunded IS NULL THEN p.replaced END) AS access_ends
  FROM periods p WHERE p.ownership = 'purchased'
), joined AS (
  SELECT s.*, lead(s.starts) OVER (PARTITION BY s.id ORDER BY s.starts, s.key) AS continued_at
  FROM spans s WHERE s.access_ends IS NULL OR s.access_ends > s.starts
), active AS (
  SELECT p.*, CASE WHEN pr.duration = 'P1W' THEN 4 * 36 WHEN pr.duration = 'P1M' THEN 36
      WHEN pr.duration = 'P3M' THEN 12 WHEN pr.duration = 'P1Y' THEN 3 WHEN p.ends IS NULL THEN 0 ELSE 4 * 36 END AS thirty_sixths,
    (SELECT coalesce(sum(t.usd_micros), 0) FROM store_transactions t
     WHERE t.project_id = $1 AND t.subscription_id = p.id AND t.period_key = p.key
       AND t.kind IN ('purchase', 'renewal')) AS price
  FROM joined p LEFT JOIN products pr
    ON pr.project_id = $1 AND pr.app_id = p.app_id AND pr.store_identifier = p.product
  WHERE p.starts <= $3::bigint AND (p.access_ends IS NULL OR $3::bigint <
    CASE WHEN p.continued_at - p.access_ends <= 3600000 THEN p.continued_at ELSE p.access_ends END)
), money AS (
  SELECT t.usd_micros, t.kind, t.amount_micros, o.purchased_at, o.ownership
  FROM store_transactions t CROSS JOIN LATERAL (
    SELECT x.purchased_at, x.ownership FROM store_transactions x
    WHERE x.project_id = $1 AND x.owner_key = t.owner_key AND x.period_key = t.period_key AND x.kind <> 'refund') o
  WHERE t.project_id = $1 AND t.environment = $2 AND t.store <> 'promotional' AND o.ownership = 'purchased'
    AND o.purchased_at >= to_timestamp($4::bigint / 1000.0) AND o.purchased_at <= to_timestamp($3::bigint / 1000.0)
)
SELECT (SELECT count(*)::int FROM active WHERE kind = 'trial') AS trials,
  (SELECT count(*)::int FROM active WHERE kind <> 'trial') AS subscriptions,
  (SELECT round(coalesce(sum(price * thirty_sixths), 0) / 360000) / 100 FROM active WHERE kind <> 'trial')::float8 AS mrr,
  (SELECT round(coalesce(sum(usd_micros), 0) / 10000.0) / 100 FROM money)::float8 AS revenue,
  (SELECT count(*)::int FROM money WHERE kind IN ('purchase', 'renewal', 'one_time')
     AND amount_micros IS DISTINCT FROM 0) AS transactions`;

/** What the metrics must be at a moment, with the money since another. */
export async function referenceFigures(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  projectId: string,
  environment: string,
  window: { fromMs: number; nowMs: number },
): Promise<ReferenceFigures> {
  const values = [projectId, environment, window.nowMs, window.fromMs];
  const [row] = await dataSource.query<ReferenceFigures[]>(reference, values);
  if (!row) throw new Error('an aggregate has one row');
  return row;
}
