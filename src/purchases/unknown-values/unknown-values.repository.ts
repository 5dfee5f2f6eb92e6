import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { type CountedValue, withinLimit } from './counted-value.js';
import { cleanUp, deletionOf } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

const KEPT_MS = 180 * 86_400_000;

/** The limit of values applies to all replicas together, so they record an app's values one after another. */
const lockApp = statement(
  'store_unknown_values.lock_app',
  `SELECT pg_advisory_xact_lock(hashtextextended('store_unknown_values:' || $1 || ':' || $2, 0))`,
);

const valuesOfFields = statement(
  'store_unknown_values.values_of_fields',
  `SELECT field, value FROM store_unknown_values WHERE project_id = $1 AND app_id = $2 AND field = ANY ($3::text[])`,
);

const add = statement(
  'store_unknown_values.add',
  `INSERT INTO store_unknown_values AS known
     (project_id, app_id, field, value, store, count, first_seen_at, last_seen_at)
   SELECT a.project_id, $2, r.field, r.value, $3, r.count, to_timestamp(r."firstSeenAtMs" / 1000.0),
     to_timestamp(r."lastSeenAtMs" / 1000.0)
   FROM project_anchors a CROSS JOIN json_to_recordset($4::json) AS r(
     field text, value text, count bigint, "firstSeenAtMs" bigint, "lastSeenAtMs" bigint)
   WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT (project_id, app_id, field, value) DO UPDATE SET
     count = known.count + excluded.count,
     last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`,
);

const latest = statement(
  'store_unknown_values.latest',
  `SELECT app_id AS "appId", field, value, count::float8 AS count, first_seen_at AS "firstSeenAt",
     last_seen_at AS "lastSeenAt"
   FROM store_unknown_values WHERE project_id = $1 AND last_seen_at > $2
   ORDER BY last_seen_at DESC, app_id, field, value LIMIT $3`,
);

const deleteOld = deletionOf('store_unknown_values.delete_old', {
  table: 'store_unknown_values',
  key: ['project_id', 'app_id', 'field', 'value'],
  isOld: (row) => `${row}.last_seen_at <= $1`,
});

export interface UnknownValueRow {
  appId: string;
  field: string;
  value: string;
  count: number;
  firstSeenAt: Date;
  lastSeenAt: Date;
}

@Injectable()
export class UnknownValuesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Adds counts of one app's values. */
  async add(
    { projectId, appId, store }: { projectId: string; appId: string; store: string },
    counted: CountedValue[],
  ): Promise<void> {
    const fields = [...new Set(counted.map(({ field }) => field))];
    await this.database.transaction(async (tx) => {
      await tx.query(lockApp, [projectId, appId]);
      const known = await tx.query<Pick<CountedValue, 'field' | 'value'>>(valuesOfFields, [
        projectId,
        appId,
        fields,
      ]);
      await tx.query(add, [projectId, appId, store, JSON.stringify(withinLimit(counted, known))]);
    });
  }

  /** The values seen since a time, most recent first. */
  latest(projectId: string, since: Date, limit: number): Promise<UnknownValueRow[]> {
    return this.database.query(latest, [projectId, since, limit]);
  }

  @Cleanup('unknown_values_retention', KEPT_MS)
  deleteOld(until: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [until]);
  }
}
