import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { epochMs } from '../../../platform/database/epoch-ms.js';
import { acrossProjects, longStatement, statement } from '../../../platform/database/statement.js';
import { cohortLevels } from '../cohorts/cohort-levels.js';
import { MANY_CUSTOMERS } from '../activity/activity-limits.js';

/**
 * Projects with work, in a random order that prevents starvation: a project that another worker has locked is among
 * them. A project that is not registered has no lockable row yet.
 */
export const dueProjects = acrossProjects(
  'charts.due_projects',
  `SELECT a.project_id AS "projectId", c.project_id IS NOT NULL AS "isRegistered" FROM project_anchors a
   JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   LEFT JOIN chart_projects c ON c.project_id = a.project_id
   WHERE a.app_id = '' AND (EXISTS (SELECT 1 FROM chart_changes m WHERE m.project_id = a.project_id)
       OR EXISTS (SELECT 1 FROM chart_rebuilds r WHERE r.project_id = a.project_id)
       OR EXISTS (SELECT 1 FROM chart_dirty_days d WHERE d.project_id = c.project_id)
       OR EXISTS (SELECT 1 FROM chart_product_changes g WHERE g.project_id = c.project_id)
       OR NOT c.has_cohorts OR cardinality(c.missing_cohort_levels) > 0 OR NOT c.has_exact_facts OR NOT c.has_cohort_days OR c.rebuilt_until IS NOT NULL
       OR c.project_id IS NOT NULL AND (c.closed_until IS NULL OR c.check_due_at IS NULL OR c.active_days_until IS NULL)
       OR c.closed_until < $1::date OR c.check_due_at <= $2 OR c.active_days_until < $1::date
       OR EXISTS (SELECT 1 FROM chart_active_marks k WHERE k.project_id = c.project_id
         AND (k.due_at IS NULL OR k.due_at <= $2))
       OR c.customers >= ${MANY_CUSTOMERS} AND (c.active_today_at IS NULL OR c.active_today_at <= $3))
     AND ${isHere('a.project_id')}
   ORDER BY random() LIMIT 2000`,
);

/**
 * Sets flags for triggers as well. Without them, an older server changed data that the sums of cohorts do not include,
 * or without the amounts of the key figures.
 */
export const lockProject = statement(
  'charts.lock_project',
  `SELECT to_char(closed_until, 'YYYY-MM-DD') AS "closedUntil", rebuilt_until AS "rebuiltUntil",
     has_cohorts AS "hasCohorts", has_exact_facts AS "hasExactFacts", has_cohort_days AS "hasCohortDays",
     cohort_levels AS "cohortLevels", set_config('tenure.keeps_chart_cohorts', 'on', true),
     set_config('tenure.keeps_chart_cohort_sums', 'on', true), set_config('tenure.writes_exact_chart_facts', 'on', true)
   FROM chart_projects WHERE project_id = $1 AND ${isHere('$1')} FOR UPDATE SKIP LOCKED`,
);

/** The oldest mark of all projects, by one index read for each project. */
export const oldestMark = acrossProjects(
  'charts.oldest_mark',
  `SELECT min(head.changed_at) AS "dueAt", count(*)::int AS "queuesRead" FROM project_anchors a
   JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   LEFT JOIN LATERAL (
     SELECT c.changed_at FROM chart_changes c WHERE c.project_id = a.project_id ORDER BY c.id LIMIT 1) head ON true
   WHERE a.app_id = '' AND ${isHere('a.project_id')}`,
);

/** Adds the lockable row of a project. */
export const registerProject = statement(
  'charts.register_project',
  `INSERT INTO chart_projects (project_id)
   SELECT a.project_id FROM project_anchors a WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT (project_id) DO NOTHING`,
);

/** Deletes the oldest $2 marks, and returns their customers and count. */
export const takeMarks = statement(
  'charts.take_marks',
  `WITH taken AS (
     DELETE FROM chart_changes WHERE project_id = $1 AND id IN (
       SELECT id FROM chart_changes WHERE project_id = $1 ORDER BY id LIMIT $2)
     RETURNING purchase_id, customer_id
   ), named AS (
     SELECT DISTINCT purchase_id, customer_id FROM taken
   )
   SELECT (SELECT count(*)::int FROM taken) AS marks,
     ARRAY(SELECT DISTINCT coalesce(n.customer_id, s.customer_id, o.customer_id) FROM named n
       LEFT JOIN subscriptions s ON s.project_id = $1 AND s.id = n.purchase_id
       LEFT JOIN one_time_purchases o ON o.project_id = $1 AND o.id = n.purchase_id
       WHERE coalesce(n.customer_id, s.customer_id, o.customer_id) IS NOT NULL) AS "customerIds",
     (SELECT catalog_version FROM projects WHERE id = $1) AS "catalogVersion"`,
);

/** $2 are customers, $3 attribute names. */
export const customersOf = statement(
  'charts.customers_of',
  `SELECT c.id, ${epochMs('c.first_seen_at')} AS "firstSeenAtMs", c.first_seen_country AS country,
     c.first_seen_platform AS platform, c.first_seen_app_version AS "appVersion",
     (SELECT coalesce(json_object_agg(a.name, a.value), '{}') FROM customer_attributes a
      WHERE a.project_id = $1 AND a.customer_id = c.id AND a.value IS NOT NULL
        AND a.name = ANY ($3::text[])) AS attributes
   FROM customers c WHERE c.project_id = $1 AND c.id = ANY($2::text[])`,
);

export const subscriptionsOf = statement(
  'charts.subscriptions_of',
  `SELECT id, customer_id AS "customerId", store, environment, store_key AS "storeKey", facts
   FROM subscriptions WHERE project_id = $1 AND customer_id = ANY($2::text[]) AND store <> 'promotional'
   ORDER BY id`,
);

export const oneTimeOf = statement(
  'charts.one_time_of',
  `SELECT id, customer_id AS "customerId", coalesce(facts #> '{hints,value}', facts #> '{imported,hints,value}') AS hints
   FROM one_time_purchases WHERE project_id = $1 AND customer_id = ANY($2::text[])`,
);

/** An enrollment counts until the experiment stops or another enrollment supersedes it. */
export const enrollmentsOf = statement(
  'charts.enrollments_of',
  `SELECT e.customer_id AS "customerId", e.experiment_id AS "experimentId", e.variant,
     ${epochMs('e.enrolled_at')} AS "enrolledAtMs", ${epochMs('least(e.superseded_at, x.stopped_at)')} AS "endedAtMs"
   FROM experiment_enrollments e
   JOIN experiments x ON x.project_id = $1 AND x.id = e.experiment_id
   WHERE e.project_id = $1 AND e.customer_id = ANY($2::text[])`,
);

export const ledgerOf = statement(
  'charts.ledger_of',
  `SELECT t.customer_id AS "customerId", coalesce(t.subscription_id, t.purchase_id) AS "purchaseId",
     t.purchase_id IS NOT NULL AS "isOneTime", t.period_key AS "periodKey", t.kind, t.kind_seq AS "kindSeq",
     t.environment, t.store, t.app_id AS "appId", t.store_product_id AS "storeProductId",
     t.amount_micros AS "amountMicros", t.usd_micros AS "usdMicros", t.fx_rate::float8 AS "fxRate", t.currency,
     ${epochMs('t.purchased_at')} AS "purchasedAtMs", ${epochMs('t.expires_at')} AS "expiresAtMs",
     t.period_type AS "periodType", t.ownership, t.commission_bps AS "commissionBps", t.tax_bps AS "taxBps",
     upper(t.country) AS country
   FROM store_transactions t WHERE t.project_id = $1 AND t.customer_id = ANY($2::text[])
   ORDER BY t.recorded_at, t.id`,
);

/** The next $3 customers after $2, for a rebuild. */
export const customersAfter = statement(
  'charts.customers_after',
  `SELECT c.id FROM (
     SELECT id FROM customers WHERE project_id = $1 AND id > $2
     UNION SELECT customer_id FROM chart_customers WHERE project_id = $1 AND customer_id > $2
   ) c ORDER BY c.id LIMIT $3`,
);

export const sourceSettings = statement(
  'charts.source_settings',
  `SELECT catalog_version AS "catalogVersion", chart_attributes AS "chartAttributes" FROM projects WHERE id = $1`,
);

export const startRebuild = statement(
  'charts.start_rebuild',
  `WITH wanted AS (DELETE FROM chart_rebuilds WHERE project_id = $1 RETURNING project_id)
   UPDATE chart_projects c SET rebuilt_until = '' FROM wanted w WHERE c.project_id = $1 AND w.project_id = $1
   RETURNING c.project_id`,
);

/** Requires all facts again, and the sums of all cohorts. */
export const startExactRebuild = statement(
  'charts.start_exact_rebuild',
  `UPDATE chart_projects SET rebuilt_until = '', has_exact_facts = true, has_cohorts = false, has_cohort_days = false,
     cohort_levels = '{}', missing_cohort_levels = '{${cohortLevels.join(',')}}'
   WHERE project_id = $1`,
);

/** Requires the sums of all days again. */
export const markAllDays = longStatement(
  'charts.mark_all_days',
  `INSERT INTO chart_dirty_days (project_id, environment, day)
   SELECT d.project_id, d.environment, d.day FROM chart_days d
   WHERE d.project_id = $1 AND d.level = 'all' AND d.environment = ANY ('{production,sandbox}')
   UNION SELECT c.project_id, c.environment, c.day FROM chart_cohort_days c WHERE c.project_id = $1
   ON CONFLICT DO NOTHING`,
);

export const moveRebuild = statement(
  'charts.move_rebuild',
  'UPDATE chart_projects SET rebuilt_until = $2 WHERE project_id = $1',
);

export const requestRebuild = statement(
  'charts.request_rebuild',
  `INSERT INTO chart_rebuilds (project_id)
   SELECT a.project_id FROM project_anchors a WHERE a.project_id = $1 AND a.app_id = '' ON CONFLICT DO NOTHING`,
);

/** $2 are apps, $3 products, $4 their store identifiers, $5 whether sales of other products may belong to it now. */
export const markProducts = statement(
  'charts.mark_products',
  `INSERT INTO chart_product_changes (project_id, app_id, product_id, store_identifier, is_renamed)
   SELECT a.project_id, m.app_id, m.product_id, m.store_identifier, m.is_renamed
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::boolean[])
     AS m (app_id, product_id, store_identifier, is_renamed)
   WHERE a.project_id = $1 AND a.app_id = '' AND EXISTS (SELECT 1 FROM chart_facts f WHERE f.project_id = $1)`,
);

export const productChange = statement(
  'charts.product_change',
  `SELECT id, app_id AS "appId", product_id AS "productId", store_identifier AS "storeIdentifier",
     is_renamed AS "isRenamed", done_until AS "doneUntil"
   FROM chart_product_changes WHERE project_id = $1 ORDER BY id LIMIT 1`,
);

/**
 * The next $7 customers after $6 with sales of a product: those stored under its id ($3) and, if it was renamed ($5),
 * those that match its name ($4, of app $2), subscription or price.
 */
export const customersOfProduct = longStatement(
  'charts.customers_of_product',
  `WITH named AS MATERIALIZED (
     SELECT p.id FROM products p JOIN apps a ON a.project_id = $1 AND a.id = p.app_id
     WHERE p.project_id = $1 AND p.app_id = $2
       AND (a.type = ANY ('{stripe,paddle}') OR split_part(p.store_identifier, ':', 1) = split_part($4, ':', 1))
   ), sold AS MATERIALIZED (
     SELECT k.id FROM chart_dims k WHERE k.project_id = $1 AND k.level = 'sale' AND k.app_id = $2
       AND (k.product_id = $3 OR $5 AND (k.product_id IN (SELECT id FROM named)
         OR split_part(k.product_id, ':', 1) = $2 || '/' || split_part($4, ':', 1)
         OR right(k.product_id, length($4) + 1) = ':' || $4))
   )
   SELECT DISTINCT p.customer_id AS id FROM chart_payers p
   WHERE p.project_id = $1 AND p.customer_id > $6 AND EXISTS (SELECT 1 FROM sold) AND p.dims_id IN (SELECT id FROM sold)
   ORDER BY 1 LIMIT $7`,
);

export const moveProductChange = statement(
  'charts.move_product_change',
  'UPDATE chart_product_changes SET done_until = $3 WHERE project_id = $1 AND id = $2',
);

export const endProductChange = statement(
  'charts.end_product_change',
  'DELETE FROM chart_product_changes WHERE project_id = $1 AND id = $2',
);

/** Number of pending marks, up to $2, the time of the oldest, and whether a product changed. */
export const waiting = statement(
  'charts.waiting',
  `SELECT (SELECT count(*)::int FROM (
       SELECT 1 FROM chart_changes WHERE project_id = $1 LIMIT $2) m) AS marks,
     (SELECT ${epochMs('min(f.changed_at)')} FROM (
       SELECT changed_at FROM chart_changes WHERE project_id = $1 ORDER BY id LIMIT 1) f) AS "sinceMs",
     EXISTS (SELECT 1 FROM chart_projects WHERE project_id = $1) AS "isRegistered",
     EXISTS (SELECT 1 FROM chart_product_changes WHERE project_id = $1) AS "hasProductChange"`,
);
