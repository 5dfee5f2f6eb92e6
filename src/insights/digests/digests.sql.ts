import { isHere } from '../../platform/data-location/is-here.sql.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf } from '../../platform/jobs/app-queues.sql.js';
import { leaseOf } from '../../platform/jobs/small-queue.js';
import { isFree } from '../../platform/jobs/leases.sql.js';

/** Digests that are due at $1 and that no process works on, at most $2. */
export const due = acrossProjects(
  'digests.due',
  `SELECT d.project_id AS "projectId", d.id FROM digests d
   WHERE d.enabled AND d.due_at <= $1 AND ${isFree('d.lease_until')} AND ${isHere('d.project_id')}
     AND EXISTS (SELECT 1 FROM projects p WHERE p.id = d.project_id AND p.deleted_at IS NULL)
   ORDER BY d.due_at LIMIT $2::int`,
);

export const leases: LeasedTable<{ projectId: string; id: string }> = {
  table: 'digests',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

export const claim = statement(
  'digests.claim',
  leaseOf(leases, {
    isDue: (row, now) => `${row}.enabled AND ${row}.due_at <= ${now}`,
    returning: 'q.project_id AS "projectId", q.id',
  }),
);

export const renew = statement('digests.renew', renewalOf(leases));

/** Locks the project, so that its number of digests does not change until the end of the transaction. */
export const lockProject = statement(
  'digests.lock_project',
  'SELECT p.id FROM projects p WHERE p.id = $1 FOR NO KEY UPDATE',
);
