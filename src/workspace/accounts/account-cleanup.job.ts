import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { AccountLinksService } from './links/account-links.service.js';
import { SessionsService } from './sessions/sessions.service.js';

const JOB = jobName('account_cleanup');
const EVERY_MS = 10 * 60_000;

/** Deletes expired sessions, links and rate limits. Safe to run on several replicas at once. */
@Injectable()
export class AccountCleanupJob {
  constructor(
    private readonly sessions: SessionsService,
    private readonly links: AccountLinksService,
    private readonly limiter: RateLimiterService,
    private readonly log: LogService,
  ) {}

  @Interval('account-cleanup', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      async () => {
        await this.sessions.prune();
        await this.links.prune();
        await this.limiter.prune();
      },
      (error) =>
        this.log.warn(
          { err: error },
          'the clean-up of sessions, links and rate limits failed; it runs again later',
        ),
    );
  }
}
