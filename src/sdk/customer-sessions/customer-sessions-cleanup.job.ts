import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CustomerSessionsService } from './customer-sessions.service.js';

const JOB = jobName('customer_sessions_cleanup');
const EVERY_MS = 10 * 60_000;

/** Deletes expired sessions of customers. Safe to run on several replicas at once. */
@Injectable()
export class CustomerSessionsCleanupJob {
  constructor(
    private readonly sessions: CustomerSessionsService,
    private readonly log: LogService,
  ) {}

  @Interval('customer-sessions-cleanup', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.sessions.prune(),
      (error) =>
        this.log.warn({ err: error }, 'the clean-up of customer sessions failed; it runs again later'),
    );
  }
}
