import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../jobs/job-events.js';
import { Log } from '../observability/log.js';
import { IdempotentRequests } from './idempotent-requests.js';

const JOB = jobName('idempotency_cleanup');
const EVERY_MS = 10 * 60_000;

/** Deletes expired idempotency keys. Replicas that run it at the same time share the work. */
@Injectable()
export class IdempotencyCleanup {
  constructor(
    private readonly requests: IdempotentRequests,
    private readonly log: Log,
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
