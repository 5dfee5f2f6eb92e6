import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { deleteInBatches } from '../jobs/batches.js';
import { jobName, runRound } from '../jobs/job-events.js';
import { LeasedWorkFactory } from '../jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../jobs/leased-work.job.js';
import type { LeasedWork } from '../jobs/leased-work.js';
import { LogService } from '../observability/log.service.js';
import { MailAttemptsService } from './mail-attempts.service.js';
import { type ClaimedMail, MailsRepository } from './mails.repository.js';

const CLEANUP_JOB = jobName('mails_cleanup');
const LEASE_MS = 60_000;
const POLL_MS = 2_000;
const CLEANUP_EVERY_MS = 60 * 60_000;
const KEPT_MS = 7 * 24 * 60 * 60_000;
/** All mails go to one server, so they share one key. */
const SLOTS = { total: 6, perKey: 6 };

const failedTo = {
  claim: 'mails could not be claimed; the next poll tries again',
  work: 'an attempt to send a mail was not recorded; it is repeated when its lease ends',
  renew: 'leases of mails could not be renewed',
};

/** Sends the mails whose first attempt failed or never happened, and deletes old rows. */
@Injectable()
export class MailsJob extends LeasedWorkJob<ClaimedMail> {
  protected readonly leased: LeasedWork<ClaimedMail>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: MailsRepository,
    attempts: MailAttemptsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedMail>({
      name: 'mails',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: () => 'smtp',
      claim: (terms, { total }) => repository.claim(terms, total),
      work: async (mail, lease) => {
        await attempts.attempt(mail, lease);
      },
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('mails', POLL_MS)
  override wake(): void {
    super.wake();
  }

  @Interval('mails-cleanup', CLEANUP_EVERY_MS)
  cleanUp(): Promise<void> {
    const until = new Date(this.clock.nowMs() - KEPT_MS);
    return runRound(
      CLEANUP_JOB,
      () => deleteInBatches((limit) => this.repository.deleteOld(until, limit)),
      (error) => this.log.warn({ err: error }, 'old mails could not be deleted; it is tried again later'),
    );
  }
}
