import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ExternalPurchaseReportsRepository } from './external-purchase-reports.repository.js';
import { REPORTS_KEPT_MS } from './external-purchase-reports.service.js';

const JOB = jobName('external_reports_retention');
const HOUR_MS = 3_600_000;

/** Deletes all reports about a purchase seven years after its last one. Replicas share the work. */
@Injectable()
export class ExternalReportsRetentionJob {
  constructor(
    private readonly repository: ExternalPurchaseReportsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('external-reports-retention', HOUR_MS)
  run(): Promise<void> {
    const until = new Date(this.clock.nowMs() - REPORTS_KEPT_MS);
    return runRound(
      JOB,
      () => deleteInBatches((limit) => this.repository.deleteOld(until, limit)),
      (error) =>
        this.log.warn(
          { err: error },
          'old reports about outside purchases could not be deleted; retrying in an hour',
        ),
    );
  }
}
