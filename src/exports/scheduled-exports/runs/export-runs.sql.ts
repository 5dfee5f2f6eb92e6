import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { acrossProjects, statement } from '../../../platform/database/statement.js';
import { type LeasedTable, renewalOf } from '../../../platform/jobs/app-queues.sql.js';
import { leaseOf } from '../../../platform/jobs/small-queue.js';
import { isFree } from '../../../platform/jobs/leases.sql.js';

/** Runs that a process may take at $1, at most $2. */
export const due = acrossProjects(
  'export_runs.due',
  `SELECT r.project_id AS "projectId", r.id FROM export_runs r
   WHERE r.due_at <= $1 AND ${isFree('r.lease_until')} AND ${isHere('r.project_id')}
   ORDER BY r.due_at LIMIT $2::int`,
);

export const leases: LeasedTable<{ projectId: string; id: string }> = {
  table: 'export_runs',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

export const claim = statement(
  'export_runs.claim',
  leaseOf(leases, {
    isDue: (row, now) => `${row}.due_at <= ${now}`,
    set: 'claims = q.claims + 1',
    returning: 'q.project_id AS "projectId", q.id, q.export_id AS "exportId", q.claims',
  }),
);

export const renew = statement('export_runs.renew', renewalOf(leases));

/** Cancels the open runs of a project. Those that a process has begun stay due, so that their uploads are aborted. */
export const cancelAll = statement(
  'export_runs.cancel_all',
  `UPDATE export_runs r SET state = 'canceled', finished_at = $2,
     due_at = CASE WHEN r.lease_until IS NULL AND r.uploads = '[]' THEN NULL ELSE r.due_at END
   WHERE r.project_id = $1 AND r.finished_at IS NULL`,
);

/**
 * Ended runs from before $1, at most $2, except the newest 20 of each export; and the runs of exports that are deleted,
 * once nothing of them is left in the store.
 */
export const prune = statement(
  'export_runs.prune',
  `DELETE FROM export_runs r USING (
     SELECT o.project_id, o.id FROM export_runs o
     WHERE o.finished_at IS NOT NULL AND o.due_at IS NULL AND ${isHere('o.project_id')}
       AND (NOT EXISTS (SELECT 1 FROM exports e WHERE e.project_id = o.project_id AND e.id = o.export_id)
         OR (o.created_at <= $1 AND (SELECT count(*) FROM (
           SELECT 1 FROM export_runs n WHERE n.project_id = o.project_id AND n.export_id = o.export_id
             AND (n.created_at, n.id) > (o.created_at, o.id) LIMIT 20) newer) = 20))
     LIMIT $2::int) old
   WHERE r.project_id = old.project_id AND r.id = old.id
   RETURNING r.id`,
);
