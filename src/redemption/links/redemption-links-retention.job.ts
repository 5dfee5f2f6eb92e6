import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { RedemptionLinksRepository } from './redemption-links.repository.js';

const JOB = jobName('redemption_links_retention');
const HOUR_MS = 3_600_000;
const KEPT_MS = 90 * 24 * HOUR_MS;

/** Deletes links 90 days after they expired. Replicas share the work. */
@Injectable()
export class RedemptionLinksRetentionJob {
  constructor(
    private readonly repository: RedemptionLinksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('redemption-links-retention', HOUR_MS)
  run(): Promise<void> {
    const until = new Date(this.clock.nowMs() - KEPT_MS);
    return runRound(
      JOB,
      () => deleteInBatches((limit) => this.repository.deleteExpired(until, limit)),
      (error) =>
        this.log.warn({ err: error }, 'old redemption links could not be deleted; retrying in an hour'),
    );
  }
}
