import { isHere } from '../../platform/data-location/is-here.sql.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';

/** A build may start: every transaction that may have found the project disabled has ended. */
const canBuild = `(r.build_after IS NOT NULL AND (r.build_after <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  OR r.build_after > pg_snapshot_xmax(pg_current_snapshot())::text::bigint))`;

/**
 * Projects with work, whether or not another worker has locked them. A random order prevents starvation. $1: version of
 * this server's derivation. An older server leaves the project to newer ones. $2: now.
 */
export const dueProjects = acrossProjects(
  'reports.due_projects',
  `SELECT r.project_id AS "projectId" FROM report_projects r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   WHERE r.enabled AND r.code_version <= $1
     AND (EXISTS (SELECT 1 FROM report_changes m WHERE m.project_id = r.project_id)
       OR r.code_version < $1 OR r.build_after IS NULL OR r.built_until IS NOT NULL AND ${canBuild}
       OR EXISTS (SELECT 1 FROM report_subscriptions s WHERE s.project_id = r.project_id AND s.kind = 'one_time'
         AND s.gives_access AND s.access_ends_at <= $2))
     AND ${isHere('r.project_id')}
   ORDER BY random() LIMIT 100`,
);

/** Locks a project for the rest of the transaction. No row if another worker has it. */
export const lockProject = statement(
  'reports.lock_project',
  `SELECT r.built_until AS "builtUntil", r.build_after IS NOT NULL AS "hasBarrier", ${canBuild} AS "canBuild",
     r.code_version AS "codeVersion"
   FROM report_projects r WHERE r.project_id = $1 AND r.enabled AND r.code_version <= $2 AND ${isHere('$1')}
   FOR UPDATE SKIP LOCKED`,
);

/** Transactions that may have found the project disabled have ids below. */
export const setBarrier = statement(
  'reports.set_barrier',
  `UPDATE report_projects SET build_after = pg_snapshot_xmax(pg_current_snapshot())::text::bigint WHERE project_id = $1`,
);

export const startBuild = statement(
  'reports.start_build',
  `UPDATE report_projects SET built_until = '', code_version = greatest(code_version, $2) WHERE project_id = $1`,
);

export const moveBuild = statement(
  'reports.move_build',
  'UPDATE report_projects SET built_until = $2 WHERE project_id = $1',
);

export const endBuild = statement(
  'reports.end_build',
  `UPDATE report_projects SET built_until = NULL,
     built_at = least(built_at, date_trunc('milliseconds', statement_timestamp())) WHERE project_id = $1`,
);

/** Deletes the oldest $2 marks of customers, and returns the customers. */
export const takeMarks = statement(
  'reports.take_marks',
  `WITH taken AS (
     DELETE FROM report_changes WHERE project_id = $1 AND id IN (
       SELECT id FROM report_changes WHERE project_id = $1 AND customer_id IS NOT NULL ORDER BY id LIMIT $2)
     RETURNING customer_id
   )
   SELECT DISTINCT customer_id AS id FROM taken`,
);

export const catalogMark = statement(
  'reports.catalog_mark',
  `SELECT id, app_id AS "appId", store_identifier AS "storeIdentifier", entitlement_id AS "entitlementId",
     done_until AS "doneUntil"
   FROM report_changes WHERE project_id = $1 AND customer_id IS NULL ORDER BY id LIMIT 1`,
);

/** One mark for a product; the job finds its buyers. $2 are apps, $3 store identifiers. */
export const markProducts = statement(
  'reports.mark_products',
  `INSERT INTO report_changes (project_id, app_id, store_identifier, changed_at)
   SELECT r.project_id, m.app_id, m.store_identifier, now()
   FROM report_projects r CROSS JOIN unnest($2::text[], $3::text[]) AS m (app_id, store_identifier)
   WHERE r.project_id = $1 AND r.enabled`,
);

export const markEntitlement = statement(
  'reports.mark_entitlement',
  `INSERT INTO report_changes (project_id, entitlement_id, changed_at)
   SELECT r.project_id, $2, now() FROM report_projects r WHERE r.project_id = $1 AND r.enabled`,
);

export const moveCatalogMark = statement(
  'reports.move_catalog_mark',
  'UPDATE report_changes SET done_until = $3 WHERE project_id = $1 AND id = $2',
);

export const endCatalogMark = statement(
  'reports.end_catalog_mark',
  'DELETE FROM report_changes WHERE project_id = $1 AND id = $2',
);

/** Customers with a one-time purchase whose access has ended by $2. */
export const endedAccess = statement(
  'reports.ended_access',
  `SELECT DISTINCT e.customer_id AS id FROM (
     SELECT customer_id FROM report_subscriptions
     WHERE project_id = $1 AND kind = 'one_time' AND gives_access AND access_ends_at <= $2 LIMIT $3) e`,
);

export const findUse = statement(
  'reports.find_use',
  `SELECT enabled, unused_since IS NOT NULL AS "isUnused" FROM report_projects WHERE project_id = $1`,
);

/** Rows of an earlier use may still exist, so the build starts at the first customer. */
export const enable = statement(
  'reports.enable',
  `INSERT INTO report_projects AS r (project_id, enabled, built_until, code_version)
   SELECT p.id, true, '', $2 FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL
   ON CONFLICT (project_id) DO UPDATE SET enabled = true, unused_since = NULL,
     built_until = CASE WHEN r.enabled THEN r.built_until ELSE '' END,
     built_at = CASE WHEN r.enabled THEN r.built_at END,
     build_after = CASE WHEN r.enabled THEN r.build_after END,
     code_version = greatest(r.code_version, excluded.code_version)`,
);

export const status = statement(
  'reports.status',
  `SELECT r.built_at IS NOT NULL AS "isBuilt", r.seq, r.code_version AS "codeVersion",
     least(date_trunc('milliseconds', now()),
       (SELECT min(m.changed_at) FROM (
          SELECT changed_at FROM report_changes WHERE project_id = $1 ORDER BY id LIMIT 10000) m)) AS "dataUntil"
   FROM report_projects r WHERE r.project_id = $1 AND r.enabled`,
);

export const requestBuild = statement(
  'reports.request_build',
  `UPDATE report_projects SET built_until = '' WHERE project_id = $1 AND enabled RETURNING project_id`,
);

export const isBuilding = statement(
  'reports.is_building',
  'SELECT 1 FROM report_projects WHERE project_id = $1 AND enabled AND built_until IS NOT NULL',
);

export const enabledProjects = acrossProjects(
  'reports.enabled_projects',
  `SELECT r.project_id AS "projectId", r.enabled,
     r.unused_since IS NOT NULL AND r.unused_since < now() - $1 * interval '1 day' AS "isAbandoned"
   FROM report_projects r JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   WHERE ${isHere('r.project_id')} AND (r.enabled OR r.built_at IS NOT NULL OR r.built_until IS NOT NULL)
   ORDER BY r.project_id`,
);

export const setUnused = statement(
  'reports.set_unused',
  `UPDATE report_projects SET unused_since = now() WHERE project_id = $1 AND enabled AND unused_since IS NULL`,
);

export const setUsed = statement(
  'reports.set_used',
  `UPDATE report_projects SET unused_since = NULL WHERE project_id = $1 AND unused_since IS NOT NULL`,
);

/** Unless the project is used again since. */
export const disable = statement(
  'reports.disable',
  `UPDATE report_projects SET enabled = false, unused_since = NULL
   WHERE project_id = $1 AND enabled AND unused_since < now() - $2 * interval '1 day'`,
);

/** Nothing is marked while the rows of a deleted project are removed. */
export const disableDeleted = statement(
  'reports.disable_deleted',
  'UPDATE report_projects SET enabled = false WHERE project_id = $1 AND enabled',
);

/** Locks a project that no feature uses, so that none of its rows is written meanwhile. */
export const lockDisabled = statement(
  'reports.lock_disabled',
  'SELECT 1 FROM report_projects WHERE project_id = $1 AND NOT enabled FOR UPDATE',
);

const tables = [
  'report_transactions',
  'report_subscriptions',
  'report_customers',
  'report_deletions',
  'report_changes',
];

export const deleteSome = tables.map((table) =>
  statement(
    `reports.delete_some.${table}`,
    `DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT $2)) RETURNING 1`,
  ),
);

/** The sequence stays, because consumers may remember numbers. */
export const noteDeleted = statement(
  'reports.note_deleted',
  'UPDATE report_projects SET built_at = NULL, built_until = NULL WHERE project_id = $1',
);

/** The number of marks, counted up to a limit for each project, and the age of the oldest. */
export const waiting = acrossProjects(
  'reports.waiting',
  `SELECT coalesce(sum(m.marks), 0)::int AS marks,
     coalesce(extract(epoch FROM now() - min(m.since)), 0)::float8 AS seconds
   FROM report_projects r JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   CROSS JOIN LATERAL (
     SELECT count(*) AS marks, min(c.changed_at) AS since FROM (
       SELECT changed_at FROM report_changes WHERE project_id = r.project_id ORDER BY id LIMIT 10000) c) m
   WHERE r.enabled AND ${isHere('r.project_id')}`,
);
