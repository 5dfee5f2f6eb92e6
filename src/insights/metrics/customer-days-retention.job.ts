import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CUSTOMER_DAYS_KEPT } from '../charts/facts/customer-days.js';
import { MetricsRepository } from './metrics.repository.js';

const JOB = jobName('customer_days_retention');
const EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

/** Deletes rows that are too old for any history. Idempotent. */
@Injectable()
export class CustomerDaysRetentionJob {
  constructor(
    private readonly repository: MetricsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('customer-days-retention', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      async () => {
        const beforeMs = this.clock.nowMs() - CUSTOMER_DAYS_KEPT * DAY_MS;
        await deleteInBatches((limit) => this.repository.pruneCustomerDays(beforeMs, limit));
      },
      (error) =>
        this.log.warn(
          { err: error },
          'the clean-up of days customers were seen on failed; it runs again later',
        ),
    );
  }
}
