import { isHere } from '../../platform/data-location/is-here.sql.js';
import { statement } from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf } from '../../platform/jobs/app-queues.sql.js';
import { isFree, leaseEnd } from '../../platform/jobs/leases.sql.js';

/** Digests that are due at $1 and that no process works on, at most $2. */
export const due = statement(
  'digests.due',
  `SELECT d.project_id AS "projectId", d.id FROM digests d
   WHERE d.enabled AND d.due_at <= $1 AND ${isFree('d.lease_until')} AND ${isHere('d.project_id')}
     AND EXISTS (SELECT 1 FROM projects p WHERE p.id = d.project_id AND p.deleted_at IS NULL)
   ORDER BY d.due_at LIMIT $2::int`,
);

/** Leases a digest that is due at $3 until $4, if no other process has leased it meanwhile. */
export const claim = statement(
  'digests.claim',
  `UPDATE digests d SET lease_until = ${leaseEnd('$3', '$4')}
   FROM (SELECT c.id FROM digests c
     WHERE c.project_id = $1 AND c.id = $2 AND c.enabled AND c.due_at <= $3 AND ${isFree('c.lease_until')}
       AND ${isHere('$1')}
     FOR UPDATE SKIP LOCKED) claimed
   WHERE d.project_id = $1 AND d.id = claimed.id
   RETURNING d.project_id AS "projectId", d.id, d.lease_until AS "leaseUntil"`,
);

export const leases: LeasedTable<{ projectId: string; id: string }> = {
  table: 'digests',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

export const renew = statement('digests.renew', renewalOf(leases));

/** Locks the project, so that its number of digests does not change until the end of the transaction. */
export const lockProject = statement(
  'digests.lock_project',
  'SELECT p.id FROM projects p WHERE p.id = $1 FOR NO KEY UPDATE',
);
