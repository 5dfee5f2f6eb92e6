import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Config } from '../../../platform/config/config.js';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import { LeasedWorkFactory } from '../../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../../platform/jobs/leased-work.job.js';
import type { LeasedWork } from '../../../platform/jobs/leased-work.js';
import { ExportRunnerService } from './export-runner.service.js';
import { type ClaimedRun, ExportRunsRepository } from './export-runs.repository.js';
import { RunStopped } from './writing/run-errors.js';

const LEASE_MS = 60_000;
const POLL_MS = 5_000;

const failedTo = {
  claim: 'runs of exports could not be claimed; the next poll tries again',
  work: 'a run of an export was interrupted; it continues when its lease ends',
  renew: 'leases of runs of exports could not be renewed',
};

/** Works on runs of exports. Safe to run on several replicas at once. */
@Injectable()
export class ExportRunsJob extends LeasedWorkJob<ClaimedRun> {
  protected readonly leased: LeasedWork<ClaimedRun>;
  private readonly stopping = new AbortController();

  constructor(
    leasedWork: LeasedWorkFactory,
    repository: ExportRunsRepository,
    runner: ExportRunnerService,
    clock: DatabaseClockService,
    config: Config,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedRun>(
      {
        name: 'export_runs',
        leaseMs: LEASE_MS,
        slots: { total: config.exportConcurrency, perKey: 1 },
        keyOf: ({ exportId }) => exportId,
        claim: (terms, { total }) => repository.claim(terms, total),
        work: (run) => runner.work(run, this.stopping.signal),
        renew: (held, terms) => repository.renew(held, terms),
        failedTo,
      },
      clock,
    );
  }

  @Interval('export-runs', POLL_MS)
  override wake(): void {
    super.wake();
  }

  /** A run can last for hours: the next process continues it. */
  override beforeApplicationShutdown(): void {
    this.stopping.abort(new RunStopped());
    super.beforeApplicationShutdown();
  }
}
