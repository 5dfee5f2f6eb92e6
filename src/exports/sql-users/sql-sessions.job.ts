import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { SqlSessionsService } from './sql-sessions.service.js';

const JOB = jobName('sql_sessions');
const EVERY_MS = 5_000;

/** Safe to run on several replicas at once. */
@Injectable()
export class SqlSessionsJob {
  private isRunning = false;

  constructor(
    private readonly sessions: SqlSessionsService,
    private readonly log: LogService,
  ) {}

  @Interval('sql-sessions', EVERY_MS)
  async run(): Promise<void> {
    // A server that does not respond takes longer than the interval.
    if (this.isRunning) return;
    this.isRunning = true;
    await runRound(
      JOB,
      () => this.sessions.watch(),
      (error) =>
        this.log.warn({ err: error }, 'sessions of SQL users were not checked; the next round tries again'),
    );
    this.isRunning = false;
  }
}
