import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../libs/kernel/index.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { longStatement } from '../../platform/database/statement.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';
import { CUSTOMER_DAYS_KEPT } from '../charts/facts/customer-days.js';

const DAY_MS = 86_400_000;

const prune = longStatement(
  'metrics.prune_customer_days',
  `DELETE FROM customer_days c USING (
     SELECT project_id, customer_id, day FROM customer_days
     WHERE project_id IN (SELECT id FROM projects) AND day < $1::date LIMIT $2
   ) old
   WHERE c.project_id = old.project_id AND c.customer_id = old.customer_id AND c.day = old.day
   RETURNING 1`,
);

@Injectable()
export class MetricsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Deletes days that are too old for any history. */
  @Cleanup('customer_days_retention', CUSTOMER_DAYS_KEPT * DAY_MS)
  async pruneCustomerDays(until: Date, limit: number): Promise<number> {
    return (await this.database.query(prune, [utcDay(until.getTime()), limit])).length;
  }
}
