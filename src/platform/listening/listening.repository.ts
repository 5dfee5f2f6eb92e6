import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { epochMs } from '../database/epoch-ms.js';
import { statement } from '../database/statement.js';

/** A process that joins continues the listening period. The database's clock decides which processes are alive. */
const beat = statement(
  'notification_listeners.beat',
  `WITH gone AS (
     DELETE FROM notification_listeners
     WHERE id <> $1 AND beat_at < clock_timestamp() - $3::bigint * interval '1 millisecond'
   ), present AS (
     SELECT min(since) AS since FROM notification_listeners
     WHERE beat_at >= clock_timestamp() - $3::bigint * interval '1 millisecond'
   )
   INSERT INTO notification_listeners (id, since, beat_at)
   SELECT $1, least(present.since, $2::timestamptz), clock_timestamp() FROM present
   ON CONFLICT (id) DO UPDATE SET since = EXCLUDED.since, beat_at = EXCLUDED.beat_at
   RETURNING ${epochMs('since')} AS "sinceMs"`,
);

const read = statement(
  'notification_listeners.since',
  `SELECT ${epochMs('min(since)')} AS "sinceMs" FROM notification_listeners
   WHERE beat_at >= clock_timestamp() - $1::bigint * interval '1 millisecond'`,
);

const leave = statement('notification_listeners.leave', `DELETE FROM notification_listeners WHERE id = $1`);

interface Since {
  sinceMs: number | null;
}

@Injectable()
export class ListeningRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns since when at least one process has listened without a break of `goneAfterMs`. */
  async beat(id: string, nowMs: number, goneAfterMs: number): Promise<number> {
    const [row] = await this.database.query<Since>(beat, [id, new Date(nowMs), goneAfterMs]);
    return row?.sinceMs ?? nowMs;
  }

  /** Like `beat`, for a process that receives no notifications; null if no process does. */
  async since(goneAfterMs: number): Promise<number | null> {
    const [row] = await this.database.query<Since>(read, [goneAfterMs]);
    return row?.sinceMs ?? null;
  }

  async leave(id: string): Promise<void> {
    await this.database.query(leave, [id]);
  }
}
