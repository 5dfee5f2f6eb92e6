import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Reader, Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { NewCancellation } from './new-cancellation.js';

/** A survey answered after the first report completes it: `least` prefers an answer to none, in any order. */
const record = statement(
  'play_cancellations.record',
  `INSERT INTO play_cancellations AS known (project_id, cancelled_at, key_hash, environment, reason)
   SELECT a.project_id, c.at, decode(c.hash, 'hex'), c.environment, min(c.reason)
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS c(at timestamptz, hash text, environment text, reason text)
   WHERE a.project_id = $1 AND a.app_id = ''
   GROUP BY a.project_id, c.at, c.hash, c.environment
   ON CONFLICT (project_id, cancelled_at, key_hash) DO UPDATE SET reason = least(known.reason, excluded.reason)`,
);

const countByDay = statement(
  'play_cancellations.count_by_day',
  `SELECT to_char(c.cancelled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, c.reason, count(*)::int AS count
   FROM play_cancellations c
   WHERE c.project_id = $1 AND c.cancelled_at >= $2 AND c.cancelled_at < $3 AND c.environment = $4
   GROUP BY 1, 2`,
);

export interface CancellationsRange {
  from: Date;
  /** Excluded. */
  to: Date;
  environment: string;
}

/** Number of cancellations on a day (UTC) with one answer. */
export interface CancellationsOfDay {
  day: string;
  reason: string | null;
  count: number;
}

@Injectable()
export class PlayCancellationsRepository {
  /** Known ones are not counted again. */
  async record(tx: Transaction, projectId: string, cancellations: readonly NewCancellation[]): Promise<void> {
    const rows = cancellations.map(({ key, environment, cancelledAtMs, reason }) => ({
      at: new Date(cancelledAtMs),
      hash: createHash('sha256').update(key).digest('hex'),
      environment,
      reason,
    }));
    await tx.query(record, [projectId, JSON.stringify(rows)]);
  }

  /** The time is that of the snapshot. */
  countByDay(
    snapshot: Reader,
    projectId: string,
    { from, to, environment }: CancellationsRange,
  ): Promise<CancellationsOfDay[]> {
    return snapshot.query(countByDay, [projectId, from, to, environment]);
  }
}
