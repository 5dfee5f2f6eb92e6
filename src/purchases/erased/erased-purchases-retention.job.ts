import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ErasedPurchasesRepository } from './erased-purchases.repository.js';

const JOB = jobName('erased_purchases_retention');
const HOUR_MS = 3_600_000;
/** A period lasts up to a year; its billing retries, refunds and disputes follow within the next one. */
const RETENTION_MS = 2 * 365 * 24 * HOUR_MS;

/** Deletes hashes of erased purchases after two years. Replicas share the work. */
@Injectable()
export class ErasedPurchasesRetentionJob {
  constructor(
    private readonly repository: ErasedPurchasesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('erased-purchases-retention', HOUR_MS)
  run(): Promise<void> {
    const until = new Date(this.clock.nowMs() - RETENTION_MS);
    return runRound(
      JOB,
      () => deleteInBatches((limit) => this.repository.deleteOld(until, limit)),
      (error) =>
        this.log.warn(
          { err: error },
          'old hashes of erased purchases could not be deleted; retrying in an hour',
        ),
    );
  }
}
