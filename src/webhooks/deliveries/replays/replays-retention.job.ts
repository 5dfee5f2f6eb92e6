import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { Config } from '../../../platform/config/config.js';
import { jobName, runRound } from '../../../platform/jobs/job-events.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ReplaysRepository } from './replays.repository.js';

const JOB = jobName('webhook_replays_retention');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Replays are stored as long as deliveries, none of which is newer than its replay. Replicas share the work. */
@Injectable()
export class ReplaysRetentionJob {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('webhook-replays-retention', HOUR_MS)
  run(): Promise<void> {
    const before = new Date(this.clock.nowMs() - this.config.webhookLogDays * DAY_MS);
    return runRound(
      JOB,
      () => this.repository.deleteRequestedBefore(before),
      (error) => this.log.warn({ err: error }, 'old replays could not be deleted; retrying in an hour'),
    );
  }
}
