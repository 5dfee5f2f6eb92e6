import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import { cleanUp, deletionOf } from '../jobs/batches.js';
import { Cleanup } from '../jobs/cleanup.js';

/** A counter of a tenant, or of no tenant (empty). */
export interface Bucket {
  tenantId: string;
  bucket: string;
}

export interface Count {
  allowed: boolean;
  /** End of the window; null if another request has just used up the limit. */
  resetsAt: Date | null;
  hits: number;
}

/* The update's condition rejects the hit: a bucket never counts above its limit. */
const count = statement(
  'rate_limits.count',
  `WITH counted AS (
     INSERT INTO rate_limits AS r (tenant_id, bucket, hits, resets_at) VALUES ($1, $2, 1, $5)
     ON CONFLICT (tenant_id, bucket) DO UPDATE
       SET hits = CASE WHEN r.resets_at <= $4 THEN 1 ELSE r.hits + 1 END,
           resets_at = CASE WHEN r.resets_at <= $4 THEN excluded.resets_at ELSE r.resets_at END
       WHERE r.resets_at <= $4 OR r.hits < $3
     RETURNING hits, resets_at
   )
   SELECT true AS allowed, hits, resets_at AS "resetsAt" FROM counted
   UNION ALL
   SELECT false, hits, resets_at FROM rate_limits
   WHERE tenant_id = $1 AND bucket = $2 AND NOT EXISTS (SELECT FROM counted)`,
);

const uncount = statement(
  'rate_limits.uncount',
  `UPDATE rate_limits SET hits = hits - 1
   WHERE tenant_id = $1 AND bucket = $2 AND resets_at = $3 AND hits > 0`,
);

const deleteOne = statement(
  'rate_limits.delete',
  'DELETE FROM rate_limits WHERE tenant_id = $1 AND bucket = $2',
);

const deleteEnded = deletionOf('rate_limits.delete_ended', {
  table: 'rate_limits',
  key: ['tenant_id', 'bucket'],
  isOld: (row) => `${row}.resets_at <= $1`,
});

@Injectable()
export class RateLimitsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Counts a hit unless the window already has `max`, in one atomic statement. */
  async count({ tenantId, bucket }: Bucket, max: number, now: Date, newEnd: Date): Promise<Count> {
    const rows = await this.database.query<Count>(count, [tenantId, bucket, max, now, newEnd]);
    return rows[0] ?? { allowed: false, resetsAt: null, hits: max };
  }

  /** Reverts a hit, unless another window has started. */
  async uncount({ tenantId, bucket }: Bucket, resetsAt: Date): Promise<void> {
    await this.database.query(uncount, [tenantId, bucket, resetsAt]);
  }

  async delete(tx: Transaction, { tenantId, bucket }: Bucket): Promise<void> {
    await tx.query(deleteOne, [tenantId, bucket]);
  }

  @Cleanup('rate_limits_cleanup')
  deleteEnded(now: Date): Promise<number> {
    return cleanUp(this.database, deleteEnded, [now]);
  }
}
