import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/** Time to wait after the end of access before asking the store. */
export interface PollingStep {
  afterMs: number;
  /** Include subscriptions whose renewal is off. */
  ofAll: boolean;
}

/**
 * Schedules a refresh for subscriptions whose end reached one of the steps ($4, ms; $5) after $3 and until $6 without
 * an update since. One that should renew may do so late, whatever the store reported before.
 */
const requestOverdue = statement(
  'overdue_subscriptions.request',
  `WITH overdue AS (
     SELECT DISTINCT s.environment, s.store_key
     FROM unnest($4::float8[], $5::boolean[]) AS step (after_ms, of_all)
     CROSS JOIN LATERAL (
       SELECT s.environment, s.store_key, s.facts, s.facts_at_ms, s.access_ends_at FROM subscriptions s
       WHERE s.project_id = $1 AND s.app_id = $2
         AND s.access_ends_at > $3::timestamptz - step.after_ms * interval '1 millisecond'
         AND s.access_ends_at <= $6::timestamptz - step.after_ms * interval '1 millisecond') s
     WHERE s.facts_at_ms < extract(epoch FROM s.access_ends_at) * 1000 + step.after_ms
       AND (coalesce(s.facts #>> '{renewal,value,autoRenew}', 'true') = 'true'
         OR s.facts #>> '{renewal,value,inRetry}' = 'true'
         OR step.of_all AND coalesce(s.facts #>> '{renewal,value,ended}', 'false') = 'false')
   )
   INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
   SELECT $1, $2, o.environment, o.store_key, $6 FROM overdue o
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING
   RETURNING r.purchase_key`,
);

@Injectable()
export class OverdueSubscriptionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the number of new refreshes; those already scheduled stay unchanged. */
  async request(
    { projectId, appId }: { projectId: string; appId: string },
    steps: readonly PollingStep[],
    fromMs: number,
    toMs: number,
  ): Promise<number> {
    const rows = await this.database.query(requestOverdue, [
      projectId,
      appId,
      new Date(fromMs),
      steps.map(({ afterMs }) => afterMs),
      steps.map(({ ofAll }) => ofAll),
      new Date(toMs),
    ]);
    return rows.length;
  }
}
