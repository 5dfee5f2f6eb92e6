import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statement.js';

/* The condition of the update refuses the hit: a bucket never counts above its limit. */
const count = statement(
  'rate_limits.count',
  `INSERT INTO rate_limits AS r (bucket, hits, resets_at) VALUES ($1, 1, $4)
   ON CONFLICT (bucket) DO UPDATE
     SET hits = CASE WHEN r.resets_at <= $3 THEN 1 ELSE r.hits + 1 END,
         resets_at = CASE WHEN r.resets_at <= $3 THEN excluded.resets_at ELSE r.resets_at END
     WHERE r.resets_at <= $3 OR r.hits < $2
   RETURNING resets_at AS "resetsAt"`,
);

const uncount = statement(
  'rate_limits.uncount',
  `UPDATE rate_limits SET hits = hits - 1 WHERE bucket = $1 AND resets_at = $2 AND hits > 0`,
);

const findEnd = statement(
  'rate_limits.find_end',
  `SELECT resets_at AS "resetsAt" FROM rate_limits WHERE bucket = $1`,
);

const deleteEnded = statement('rate_limits.delete_ended', `DELETE FROM rate_limits WHERE resets_at <= $1`);

@Injectable()
export class RateLimitsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * Counts a hit in one atomic statement.
   * @returns when the window ends, or null when `max` hits were already counted in it.
   */
  async count(bucket: string, max: number, now: Date, newEnd: Date): Promise<Date | null> {
    const rows = await this.database.query<{ resetsAt: Date }>(count, [bucket, max, now, newEnd]);
    return rows[0]?.resetsAt ?? null;
  }

  /** Takes a hit back, unless another window has begun. */
  async uncount(bucket: string, resetsAt: Date): Promise<void> {
    await this.database.query(uncount, [bucket, resetsAt]);
  }

  async resetsAt(bucket: string): Promise<Date | null> {
    return (await this.database.query<{ resetsAt: Date }>(findEnd, [bucket]))[0]?.resetsAt ?? null;
  }

  async deleteEnded(now: Date): Promise<void> {
    await this.database.query(deleteEnded, [now]);
  }
}
