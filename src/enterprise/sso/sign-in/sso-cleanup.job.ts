import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../../platform/jobs/job-events.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { LoginStatesService } from './login-states.service.js';

const JOB = jobName('sso_cleanup');
const EVERY_MS = 10 * 60_000;

/** Deletes unfinished sign-ins and expired assertions. Safe to run on several replicas at once. */
@Injectable()
export class SsoCleanupJob {
  constructor(
    private readonly states: LoginStatesService,
    private readonly log: LogService,
  ) {}

  @Interval('sso-cleanup', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.states.prune(),
      (error) => this.log.warn({ err: error }, 'the clean-up of single sign-on failed; it runs again later'),
    );
  }
}
