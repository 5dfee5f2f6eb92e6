import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { jobName, runRound } from '../../../platform/jobs/job-events.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { DestinationMetrics } from '../destination.metrics.js';
import { WaitingDeliveriesRepository } from './waiting-deliveries.repository.js';

const JOB = jobName('webhook_ended_waits');
const HOUR_MS = 3_600_000;
const BATCH = 1000;

/** Skips deliveries whose attribute did not arrive in time. Replicas share the work. */
@Injectable()
export class EndedWaitsJob {
  constructor(
    private readonly repository: WaitingDeliveriesRepository,
    private readonly metrics: DestinationMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('webhook-ended-waits', HOUR_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.skipAll(new Date(this.clock.nowMs())),
      (error) => this.log.warn({ err: error }, 'ended waits could not be recorded; retrying in an hour'),
    );
  }

  private async skipAll(now: Date): Promise<void> {
    for (const projectId of await this.repository.projectsWithEndedWaits(now)) {
      let reasons;
      do {
        reasons = await this.repository.skipEnded(projectId, now, BATCH);
        for (const reason of reasons) this.metrics.skipped(reason);
      } while (reasons.length === BATCH);
    }
  }
}
