import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { deleteInBatches } from '../../../platform/jobs/batches.js';
import { jobName, runRound } from '../../../platform/jobs/job-events.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ClientsService } from '../clients/clients.service.js';
import { GrantsRepository } from './grants.repository.js';

const JOB = jobName('oauth_cleanup');
/** Twice the lifetime of a refresh token, so that a long-expired token does not count as stolen. */
const REPLACED_KEPT_MS = 60 * 86_400_000;
const EVERY_MS = 10 * 60_000;

/** Deletes expired grants and unused clients. Safe to run on several replicas at once. */
@Injectable()
export class OauthCleanupJob {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly clients: ClientsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('oauth-cleanup', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      async () => {
        const now = new Date(this.clock.nowMs());
        await deleteInBatches((limit) => this.grants.deleteExpired(now, limit));
        const old = new Date(now.getTime() - REPLACED_KEPT_MS);
        await deleteInBatches((limit) => this.grants.deleteOldReplaced(old, limit));
        await this.clients.pruneUnused();
      },
      (error) =>
        this.log.warn({ err: error }, 'the clean-up of grants and clients failed; it runs again later'),
    );
  }
}
