import { customerRows } from '../../customers/customers/identity/customer-rows.js';

const isLive = (enrollment: string): string => `EXISTS (SELECT 1 FROM experiments x
       WHERE x.project_id = $1 AND x.id = ${enrollment}.experiment_id
         AND x.status <> 'stopped')`;

/**
 * If both customers are enrolled in an experiment, keeps the target's enrollment and drops the other, anonymized, from
 * the results. If they are enrolled in two different live experiments, the target's continues.
 */
customerRows('experiment_enrollments', {
  merge: {
    twins: `UPDATE experiment_enrollments e SET merged = true, app_user_id = ''
     WHERE e.project_id = $1 AND e.customer_id = $2 AND EXISTS (
       SELECT 1 FROM experiment_enrollments k
       WHERE k.project_id = $1 AND k.customer_id = $3 AND k.experiment_id = e.experiment_id)`,
    enrollments: `UPDATE experiment_enrollments e SET customer_id = $3,
       superseded_at = CASE WHEN e.superseded_at IS NULL AND ${isLive('e')} AND EXISTS (
         SELECT 1 FROM experiment_enrollments k WHERE k.project_id = $1 AND k.customer_id = $3
           AND k.superseded_at IS NULL AND ${isLive('k')}) THEN $4 ELSE e.superseded_at END
     WHERE e.project_id = $1 AND e.customer_id = $2 AND NOT EXISTS (
       SELECT 1 FROM experiment_enrollments k
       WHERE k.project_id = $1 AND k.customer_id = $3 AND k.experiment_id = e.experiment_id)`,
  },
  erase: {
    enrollments: `DELETE FROM experiment_enrollments WHERE project_id = $1 AND customer_id = $2`,
  },
});
