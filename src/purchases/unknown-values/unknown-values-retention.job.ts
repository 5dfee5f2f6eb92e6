import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { UnknownValuesRepository } from './unknown-values.repository.js';

const JOB = jobName('unknown_values_retention');
const HOUR_MS = 3_600_000;
const RETENTION_MS = 180 * 24 * HOUR_MS;

/** Deletes unknown values that no store sent for 180 days. Replicas share the work. */
@Injectable()
export class UnknownValuesRetentionJob {
  constructor(
    private readonly repository: UnknownValuesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('unknown-values-retention', HOUR_MS)
  run(): Promise<void> {
    const until = new Date(this.clock.nowMs() - RETENTION_MS);
    return runRound(
      JOB,
      () => deleteInBatches((limit) => this.repository.deleteOld(until, limit)),
      (error) =>
        this.log.warn(
          { err: error },
          'old unknown values of stores could not be deleted; retrying in an hour',
        ),
    );
  }
}
