import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DatabaseService } from '../../platform/database/database.service.js';
import { DatabaseClockService } from '../../platform/jobs/database-clock.service.js';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type ExportKey, ExportsRepository } from './exports.repository.js';
import { ExportRunMetrics } from './runs/export-run.metrics.js';
import { ExportRunsService } from './runs/export-runs.service.js';

const JOB = jobName('export_schedule');
const POLL_MS = 10_000;
const BATCH = 100;

/** Starts runs of exports that are due. Safe to run on several replicas at once. */
@Injectable()
export class ExportScheduleJob {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly runs: ExportRunsService,
    private readonly metrics: ExportRunMetrics,
    private readonly database: DatabaseService,
    private readonly clock: DatabaseClockService,
    private readonly log: LogService,
  ) {}

  @Interval('export-schedule', POLL_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.startDue(),
      (error) => this.log.warn({ err: error }, 'due exports were not started; the next poll tries again'),
    );
  }

  async startDue(): Promise<void> {
    const now = new Date(this.clock.nowMs());
    for (const key of await this.repository.due(now, BATCH)) await this.startOne(key, now);
  }

  /** After a pause of the server, one run makes up for all due times, and the next is the next regular one. */
  private async startOne(key: ExportKey, now: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const due = await this.repository.lockDue(tx, key, now);
      if (!due) return;
      const nextDueAt = await this.repository.nextDueAt(tx, due.schedule, now);
      await this.repository.update(tx, key, { nextDueAt });
      const run = await this.runs.start(tx, due, 'schedule');
      if (!run) tx.afterCommit(() => this.metrics.countSkipped());
    });
  }
}
