import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../jobs/job-events.js';
import { LogService } from '../observability/log.service.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

const JOB = jobName('idempotency_cleanup');
const EVERY_MS = 10 * 60_000;

/** Replicas that run it at the same time share the work. */
@Injectable()
export class IdempotencyCleanupJob {
  constructor(
    private readonly requests: IdempotentRequestsService,
    private readonly log: LogService,
  ) {}

  @Interval('idempotency-cleanup', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.requests.prune(),
      (error) =>
        this.log.warn({ err: error }, 'the clean-up of idempotency keys failed; it runs again later'),
    );
  }
}
