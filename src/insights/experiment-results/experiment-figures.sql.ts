import { isHere } from '../../platform/data-location/is-here.sql.js';
import { acrossProjects, LONG_MS, longStatement, statement } from '../../platform/database/statement.js';

/** Running and paused experiments without a row, and those that stopped less than 400 days before $1. */
export const unregistered = acrossProjects(
  'experiment_results.unregistered',
  `SELECT a.project_id AS "projectId", e.id AS "experimentId"
   FROM project_anchors a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   JOIN experiments e ON e.project_id = a.project_id
   LEFT JOIN experiment_computations c ON c.project_id = a.project_id AND c.experiment_id = e.id
   WHERE a.app_id = '' AND c.project_id IS NULL AND ${isHere('a.project_id')}
     AND (e.status IN ('running', 'paused') OR (e.status = 'stopped' AND e.stopped_at > $1::timestamptz - interval '400 days'))`,
  LONG_MS,
);

export const register = statement(
  'experiment_results.register',
  `INSERT INTO experiment_computations (project_id, experiment_id, due_at) VALUES ($1, $2, $3)
   ON CONFLICT (project_id, experiment_id) DO NOTHING`,
);

/** Up to $2 experiments that are due, longest waiting first. */
export const due = acrossProjects(
  'experiment_results.due',
  `SELECT c.project_id AS "projectId", c.experiment_id AS "experimentId"
   FROM experiment_computations c JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL
   WHERE c.due_at <= $1 AND ${isHere('c.project_id')} ORDER BY c.due_at LIMIT $2`,
);

/** Locks an experiment that is still due. No row if another worker has it. */
export const claim = statement(
  'experiment_results.claim',
  `SELECT 1 FROM experiment_computations WHERE project_id = $1 AND experiment_id = $2 AND due_at <= $3
   FOR UPDATE SKIP LOCKED`,
);

/** Locks an experiment's row, and creates it if it is missing. */
export const lock = statement(
  'experiment_results.lock',
  `INSERT INTO experiment_computations AS c (project_id, experiment_id, due_at) VALUES ($1, $2, $3)
   ON CONFLICT (project_id, experiment_id) DO UPDATE SET due_at = c.due_at RETURNING c.computed_at AS "computedAt"`,
);

export const find = statement(
  'experiment_results.find',
  `SELECT computed_at AS "computedAt", contaminated, due_at AS "dueAt" FROM experiment_computations
   WHERE project_id = $1 AND experiment_id = $2`,
);

export const hasten = statement(
  'experiment_results.hasten',
  `UPDATE experiment_computations SET due_at = $3 WHERE project_id = $1 AND experiment_id = $2 AND due_at > $3`,
);

/** $4 is null if there is no next computation. */
export const finish = statement(
  'experiment_results.finish',
  `UPDATE experiment_computations SET computed_at = $3, due_at = coalesce($4::timestamptz, 'infinity'),
     contaminated = (SELECT count(*) FROM experiment_enrollments e
       WHERE e.project_id = $1 AND e.experiment_id = $2 AND e.superseded_at IS NOT NULL)
   WHERE project_id = $1 AND experiment_id = $2`,
);

export const clear = statement(
  'experiment_results.clear',
  'DELETE FROM experiment_figures WHERE project_id = $1 AND experiment_id = $2',
);

/** The products that the variants offer. $2 are offering ids. */
export const offeredProducts = statement(
  'experiment_results.offered_products',
  `SELECT DISTINCT o.product_id AS id FROM packages k
   JOIN package_products o ON o.project_id = $1 AND o.package_id = k.id
   WHERE k.project_id = $1 AND k.offering_id = ANY ($2::text[])`,
);

export const productNames = statement(
  'experiment_results.product_names',
  'SELECT id, display_name AS name, store_identifier AS "storeIdentifier" FROM products WHERE project_id = $1 AND id = ANY ($2::text[])',
);

/**
 * Purchases that started with a customer, regardless of the current owner: those they own, and those transferred from
 * them. Former ids resolve to the customer they were merged into.
 */
const bought = (table: string): string => `
  SELECT p.customer_id, t.id AS purchase_id, t.customer_id AS owner_id
  FROM people p
  JOIN ${table} t ON t.project_id = $1 AND t.customer_id = p.customer_id
  LEFT JOIN customer_aliases a ON a.project_id = $1 AND a.app_user_id = t.original_customer_app_user_id
  WHERE t.environment = $3 AND t.store <> 'promotional' AND coalesce(a.customer_id, p.customer_id) = p.customer_id
  UNION
  SELECT p.customer_id, t.id, t.customer_id
  FROM people p
  JOIN ownership_changes m ON m.project_id = $1 AND m.from_customer_id = p.customer_id
  JOIN ${table} t ON t.project_id = $1 AND t.id = m.purchase_id AND t.customer_id <> p.customer_id
  JOIN customer_aliases a ON a.project_id = $1 AND a.app_user_id = t.original_customer_app_user_id
    AND a.customer_id = p.customer_id
  WHERE t.environment = $3 AND t.store <> 'promotional'`;

const figures = (alias: string): string =>
  `coalesce(sum(${alias}.trials_started), 0), coalesce(sum(${alias}.trials_completed), 0),
   coalesce(sum(${alias}.trials_converted), 0), count(*) FILTER (WHERE ${alias}.payments > 0),
   count(*) FILTER (WHERE ${alias}.active > 0), count(*) FILTER (WHERE ${alias}.active > 0 AND ${alias}.is_renewing),
   count(*) FILTER (WHERE ${alias}.was_active AND ${alias}.active <= 0), count(*) FILTER (WHERE ${alias}.refunds > 0),
   coalesce(sum(${alias}.revenue), 0), coalesce(sum((${alias}.revenue / 1e6::float8) ^ 2), 0),
   coalesce(sum(${alias}.monthly), 0), coalesce(sum((${alias}.monthly / 1e6::float8) ^ 2), 0)`;

/**
 * Expects that the rows were deleted before. $3: environment; $4: now; $5: start of the current weights; $6: end of the
 * experiment or null; $7: products of the variants. A subscription or one-time purchase counts if it started at most a
 * minute before the customer joined (store clocks differ) and before the end. Its later events count for another 400
 * days.
 */
export const compute = longStatement(
  'experiment_results.compute',
  `INSERT INTO experiment_figures (project_id, experiment_id, environment, variant, product, platform, country,
     customers, recent_customers, converted, trials_started, trials_completed, trials_converted, paid, active,
     renewing, churned, refunded, revenue, revenue_squares, monthly, monthly_squares)
   SELECT c.project_id, c.experiment_id, $3, n.* FROM experiment_computations c CROSS JOIN (
     WITH people AS MATERIALIZED (
       SELECT e.customer_id, e.variant, e.enrolled_at, coalesce(e.platform, '') AS platform,
         coalesce(e.country, '') AS country, $5::timestamptz IS NULL OR e.enrolled_at >= $5 AS is_recent
       FROM experiment_enrollments e
       WHERE e.project_id = $1 AND e.experiment_id = $2 AND NOT e.merged AND e.superseded_at IS NULL
         AND ($3 = 'sandbox' OR NOT e.is_sandbox)
     ), bought AS MATERIALIZED (
       ${bought('subscriptions')}
       UNION ${bought('one_time_purchases')}
     ), facts AS MATERIALIZED (
       SELECT b.customer_id, b.purchase_id, f.dims_id, f.trials, f.trials_new, f.from_trial, f.transactions, f.actives,
         f.refunds, f.revenue, f.monthly, min(f.at) OVER (PARTITION BY b.purchase_id) AS began_at
       FROM bought b JOIN chart_facts f
         ON f.project_id = $1 AND f.customer_id = b.owner_id AND f.purchase_id = b.purchase_id
       WHERE f.environment = $3 AND f.at <= $4
         AND ($6::timestamptz IS NULL OR f.at < $6::timestamptz + interval '400 days')
     ), counted AS MATERIALIZED (
       SELECT f.*, CASE WHEN d.product_id = ANY ($7::text[]) THEN d.product_id ELSE 'other' END AS product
       FROM facts f JOIN people p ON p.customer_id = f.customer_id
       LEFT JOIN chart_dims d ON d.project_id = $1 AND d.id = f.dims_id
       WHERE f.began_at >= p.enrolled_at - interval '60 seconds' AND ($6::timestamptz IS NULL OR f.began_at < $6)
     ), renewing AS MATERIALIZED (
       SELECT b.customer_id, CASE WHEN d.product_id = ANY ($7::text[]) THEN d.product_id ELSE 'other' END AS product
       FROM bought b JOIN chart_runs r
         ON r.project_id = $1 AND r.customer_id = b.owner_id AND r.purchase_id = b.purchase_id
       LEFT JOIN chart_dims d ON d.project_id = $1 AND d.id = r.dims_id
       WHERE r.environment = $3 AND NOT r.is_trial AND r.is_renewing AND r.starts_at <= $4
         AND (r.ends_at IS NULL OR r.ends_at > $4)
         AND EXISTS (SELECT 1 FROM counted c WHERE c.purchase_id = b.purchase_id)
     ), sums AS MATERIALIZED (
       SELECT c.customer_id, coalesce(c.product, '') AS product,
         coalesce(sum(c.trials_new), 0) AS trials_started,
         coalesce(sum(c.trials_new), 0) - coalesce(sum(c.trials), 0) AS trials_completed,
         coalesce(sum(c.from_trial), 0) AS trials_converted,
         coalesce(sum(c.transactions), 0) AS payments, coalesce(sum(c.actives), 0) AS active,
         coalesce(bool_or(c.actives > 0), false) AS was_active, coalesce(sum(c.refunds), 0) AS refunds,
         coalesce(sum(c.revenue), 0) AS revenue, coalesce(sum(c.monthly), 0) AS monthly
       FROM counted c GROUP BY GROUPING SETS ((c.customer_id, c.product), (c.customer_id))
     ), people_sums AS MATERIALIZED (
       SELECT s.*, EXISTS (SELECT 1 FROM renewing r
         WHERE r.customer_id = s.customer_id AND s.product IN ('', r.product)) AS is_renewing
       FROM sums s
     )
     SELECT p.variant, '', p.platform, p.country, count(*), count(*) FILTER (WHERE p.is_recent),
       count(s.customer_id), ${figures('s')}
     FROM people p LEFT JOIN people_sums s ON s.customer_id = p.customer_id AND s.product = ''
     GROUP BY p.variant, p.platform, p.country
     UNION ALL
     SELECT p.variant, s.product, p.platform, p.country, 0, 0, count(*), ${figures('s')}
     FROM people p JOIN people_sums s ON s.customer_id = p.customer_id AND s.product <> ''
     GROUP BY p.variant, s.product, p.platform, p.country
   ) n WHERE c.project_id = $1 AND c.experiment_id = $2`,
);

/** $4 and $5 are filter lists, or null. */
export const sums = statement(
  'experiment_results.sums',
  `SELECT variant, product, sum(customers)::int AS customers, sum(recent_customers)::int AS "recentCustomers",
     sum(converted)::int AS converted, sum(trials_started)::int AS "trialsStarted",
     sum(trials_completed)::int AS "trialsCompleted", sum(trials_converted)::int AS "trialsConverted",
     sum(paid)::int AS paid, sum(active)::int AS active, sum(renewing)::int AS renewing, sum(churned)::int AS churned,
     sum(refunded)::int AS refunded, sum(revenue)::bigint AS revenue, sum(revenue_squares) AS "revenueSquares",
     sum(monthly)::bigint AS monthly, sum(monthly_squares) AS "monthlySquares"
   FROM experiment_figures
   WHERE project_id = $1 AND experiment_id = $2 AND environment = $3
     AND ($4::text[] IS NULL OR platform = ANY ($4)) AND ($5::text[] IS NULL OR country = ANY ($5))
   GROUP BY variant, product ORDER BY variant, product`,
);
