import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LeasedWorkFactory } from '../jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../jobs/leased-work.job.js';
import type { LeasedWork } from '../jobs/leased-work.js';
import { MailAttemptsService } from './mail-attempts.service.js';
import { type ClaimedMail, MailsRepository } from './mails.repository.js';

const LEASE_MS = 60_000;
const POLL_MS = 2_000;
/** All mails go to one server, so they share one key. */
const SLOTS = { total: 6, perKey: 6 };

const failedTo = {
  claim: 'mails could not be claimed; the next poll tries again',
  work: 'an attempt to send a mail was not recorded; it is repeated when its lease ends',
  renew: 'leases of mails could not be renewed',
};

/** Sends the mails whose first attempt failed or never happened. */
@Injectable()
export class MailsJob extends LeasedWorkJob<ClaimedMail> {
  protected readonly leased: LeasedWork<ClaimedMail>;

  constructor(leasedWork: LeasedWorkFactory, repository: MailsRepository, attempts: MailAttemptsService) {
    super();
    this.leased = leasedWork.create<ClaimedMail>({
      name: 'mails',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: () => 'smtp',
      projectOf: ({ tenantId }) => tenantId,
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
}
