import { isHere } from '../../platform/data-location/is-here.sql.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { longStatement, statement } from '../../platform/database/statement.js';

/** Projects with marks, found by skipping through the index. Deleted ones are skipped. */
export const registerProjects = longStatement(
  'metrics.register_projects',
  `WITH RECURSIVE marked AS (
     (SELECT c.project_id FROM metric_changes c ORDER BY c.project_id LIMIT 1)
     UNION ALL
     SELECT next.project_id FROM marked m CROSS JOIN LATERAL (
       SELECT c.project_id FROM metric_changes c WHERE c.project_id > m.project_id ORDER BY c.project_id LIMIT 1) next
   )
   INSERT INTO metric_projects (project_id)
   SELECT m.project_id FROM marked m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE ${isHere('m.project_id')}
   ON CONFLICT (project_id) DO NOTHING`,
);

/** Locks one project with marks; other workers skip it. Random choice prevents starvation. */
export const claimProject = statement(
  'metrics.claim_project',
  `SELECT m.project_id AS "projectId" FROM metric_projects m
   JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE EXISTS (SELECT 1 FROM metric_changes c WHERE c.project_id = m.project_id) AND ${isHere('m.project_id')}
   ORDER BY random() LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
);

/** The oldest $2 marks of a project. */
export const takeMarks = statement(
  'metrics.take_marks',
  `DELETE FROM metric_changes WHERE project_id = $1 AND id IN (
     SELECT id FROM metric_changes WHERE project_id = $1 ORDER BY id LIMIT $2)
   RETURNING purchase_id AS "purchaseId"`,
);

/** The oldest $2 marks (not deleted), the time of the oldest mark after them, and the current catalog version. */
export const readMarks = statement(
  'metrics.read_marks',
  `WITH first AS (SELECT id, purchase_id FROM metric_changes WHERE project_id = $1 ORDER BY id LIMIT $2)
   SELECT ARRAY(SELECT DISTINCT purchase_id FROM first) AS "purchaseIds",
     (SELECT ${epochMs('min(c.changed_at)')} FROM metric_changes c
      WHERE c.project_id = $1 AND c.id > (SELECT max(id) FROM first)) AS "behindSinceMs",
     (SELECT catalog_version FROM projects WHERE id = $1) AS "catalogVersion"`,
);

const ledgerColumns = `t.period_key AS "periodKey", t.kind, t.kind_seq AS "kindSeq", t.environment, t.store,
  t.app_id AS "appId", t.store_product_id AS "storeProductId", t.amount_micros AS "amountMicros",
  t.usd_micros AS "usdMicros", t.fx_rate::float8 AS "fxRate", ${epochMs('t.purchased_at')} AS "purchasedAtMs",
  ${epochMs('t.expires_at')} AS "expiresAtMs", t.period_type AS "periodType", t.ownership`;

export const ledgerOf = statement(
  'metrics.ledger_of',
  `SELECT t.subscription_id AS "purchaseId", ${ledgerColumns}, t.recorded_at, t.id FROM store_transactions t
   WHERE t.project_id = $1 AND t.subscription_id = ANY($2::text[])
   UNION ALL
   SELECT t.purchase_id, ${ledgerColumns}, t.recorded_at, t.id FROM store_transactions t
   WHERE t.project_id = $1 AND t.purchase_id = ANY($2::text[])
   ORDER BY recorded_at, id`,
);

export const subscriptionsOf = statement(
  'metrics.subscriptions_of',
  'SELECT id, facts FROM subscriptions WHERE project_id = $1 AND id = ANY($2::text[])',
);

export const storedPeriods = statement(
  'metrics.stored_periods',
  `SELECT purchase_id AS "purchaseId", period_key AS "periodKey", environment, app_id AS "appId",
     store_product_id AS "storeProductId", length_units AS "lengthUnits", ${epochMs('starts_at')} AS "startsAtMs",
     ${epochMs('ends_at')} AS "endsAtMs", trials, subscriptions, price_micros AS "priceMicros",
     revenue_micros AS "revenueMicros", transactions
   FROM metric_periods WHERE project_id = $1 AND purchase_id = ANY($2::text[])`,
);

/** $2 and $3 are purchase ids and period keys. */
export const deletePeriods = statement(
  'metrics.delete_periods',
  `DELETE FROM metric_periods p USING unnest($2::text[], $3::text[]) AS gone (purchase_id, period_key)
   WHERE p.project_id = $1 AND p.purchase_id = gone.purchase_id AND p.period_key = gone.period_key`,
);

const amounts =
  'trials int, subscriptions int, "priceMicros" bigint, "revenueMicros" bigint, transactions int';

export const insertPeriods = statement(
  'metrics.insert_periods',
  `INSERT INTO metric_periods (project_id, purchase_id, period_key, environment, app_id, store_product_id,
     length_units, starts_at, ends_at, trials, subscriptions, price_micros, revenue_micros, transactions)
   SELECT $1, r."purchaseId", r."periodKey", r.environment, r."appId", r."storeProductId", r."lengthUnits",
     to_timestamp(r."startsAtMs" / 1000.0), to_timestamp(r."endsAtMs" / 1000.0), r.trials, r.subscriptions,
     r."priceMicros", r."revenueMicros", r.transactions
   FROM json_to_recordset($2::json) AS r("purchaseId" text, "periodKey" text, environment text, "appId" text,
     "storeProductId" text, "lengthUnits" int, "startsAtMs" bigint, "endsAtMs" bigint, ${amounts})`,
);

/** $2 contains amounts by day; a day may occur several times. */
export const addToDays = statement(
  'metrics.add_to_days',
  `INSERT INTO metric_days AS d (project_id, environment, day, app_id, store_product_id, length_units, trials,
     subscriptions, price_micros, revenue_micros, transactions)
   SELECT $1, r.environment, (to_timestamp(r."atMs" / 1000.0) AT TIME ZONE 'UTC')::date, r."appId",
     r."storeProductId", r."lengthUnits", sum(r.trials), sum(r.subscriptions), sum(r."priceMicros"),
     sum(r."revenueMicros"), sum(r.transactions)
   FROM json_to_recordset($2::json) AS r(environment text, "atMs" bigint, "appId" text, "storeProductId" text,
     "lengthUnits" int, ${amounts})
   GROUP BY 2, 3, 4, 5, 6
   ON CONFLICT (project_id, environment, day, app_id, store_product_id, length_units) DO UPDATE SET
     trials = d.trials + excluded.trials, subscriptions = d.subscriptions + excluded.subscriptions,
     price_micros = d.price_micros + excluded.price_micros,
     revenue_micros = d.revenue_micros + excluded.revenue_micros,
     transactions = d.transactions + excluded.transactions`,
);

/** The cost depends on days and products, not on the number of purchases. */
export const soldProducts = statement(
  'metrics.sold_products',
  `SELECT app_id AS "appId", store_product_id AS "storeProductId", sum(transactions)::int AS transactions,
     (extract(epoch FROM min(day)) * 1000)::bigint AS "sinceMs"
   FROM metric_days WHERE project_id = $1 GROUP BY 1, 2`,
);
