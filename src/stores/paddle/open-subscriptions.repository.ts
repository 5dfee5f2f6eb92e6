import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/** The day is divided into slices. Each subscription belongs to one of them. */
export const SLICES = 24;

/**
 * Schedules refreshes of open subscriptions in some slices of the day ($4), one every $6 ms, at most $7 including those
 * already waiting. Skips those with facts newer than $8. $9 shuffles the order, so that subscriptions beyond the limit
 * today are included tomorrow. Skips subscriptions that ended at Paddle, but not those that only lost access: they may
 * still be billed.
 */
const askAboutOpen = statement(
  'paddle_walk.ask_about_open',
  `WITH waiting AS (
     SELECT count(*) AS count FROM (
       SELECT 1 FROM store_refreshes WHERE project_id = $1 AND app_id = $2 AND environment = $3 LIMIT $7::int) w
   ), open AS (
     SELECT s.store_key AS key, hashtext(s.store_key || $9) AS place FROM subscriptions s
     WHERE s.project_id = $1 AND s.app_id = $2 AND s.environment = $3 AND s.access_ends_at IS NOT NULL
       AND (hashtext(s.store_key)::bigint & 2147483647) % ${SLICES} = ANY($4::int[]) AND s.facts_at_ms < $8
       AND (s.status <> 'expired' OR s.facts #>> '{renewal,value,ended}' = 'false')
     ORDER BY place LIMIT (SELECT greatest(0, $7::int - count) FROM waiting)
   )
   INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at)
   SELECT $1, $2, $3, o.key, $5::timestamptz + (row_number() OVER (ORDER BY o.place) - 1) * $6::float8 * interval '1 millisecond'
   FROM open o
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING`,
);

export interface Walk {
  projectId: string;
  appId: string;
  environment: Environment;
  slices: number[];
  now: Date;
  /** Time between two refreshes. */
  everyMs: number;
  /** Maximum number of waiting refreshes of the app and environment. */
  most: number;
  factsBeforeMs: number;
  seed: string;
}

@Injectable()
export class OpenSubscriptionsRepository {
  constructor(private readonly database: DatabaseService) {}

  async askAbout(walk: Walk): Promise<void> {
    const { projectId, appId, environment, slices, now, everyMs, most, factsBeforeMs, seed } = walk;
    const values = [projectId, appId, environment, slices, now, everyMs, most, factsBeforeMs, seed];
    await this.database.query(askAboutOpen, values);
  }
}
