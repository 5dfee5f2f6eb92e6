import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { RefundRequestsRepository } from './refund-requests.repository.js';

const JOB = jobName('refund_requests_retention');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Stores send no notification if they decide nothing. */
const APPLE_DECIDES_MS = 30 * DAY_MS;
const GOOGLE_DECIDES_MS = 180 * DAY_MS;
const DETAILS_MS = 90 * DAY_MS;
/** 25 months. */
const RETENTION_MS = 761 * DAY_MS;

/** Ends requests that stores never decided about, and deletes old ones and their details. Replicas share the work. */
@Injectable()
export class RefundRequestsRetentionJob {
  constructor(
    private readonly repository: RefundRequestsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('refund-requests-retention', HOUR_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.work(),
      (error) =>
        this.log.warn(
          { err: error },
          'old refund requests could not be ended or deleted; retrying in an hour',
        ),
    );
  }

  private async work(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const before = (ms: number): Date => new Date(nowMs - ms);
    const [now, apple, google] = [new Date(nowMs), before(APPLE_DECIDES_MS), before(GOOGLE_DECIDES_MS)];
    await deleteInBatches((limit) => this.repository.endOpen(now, apple, google, limit));
    await deleteInBatches((limit) => this.repository.clearDetails(before(DETAILS_MS), limit));
    await deleteInBatches((limit) => this.repository.deleteOld(before(RETENTION_MS), limit));
  }
}
