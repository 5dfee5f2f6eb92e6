import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { LeasedWork } from '../../platform/jobs/leased-work.js';
import { DigestSendingService } from './digest-sending.service.js';
import { type ClaimedDigest, DigestsRepository } from './digests.repository.js';

const LEASE_MS = 60_000;
const POLL_MS = 60_000;
/** Two digests of a project may read its figures at once. */
const SLOTS = { total: 4, perKey: 2 };

const failedTo = {
  claim: 'digests could not be claimed; the next poll tries again',
  work: 'a digest was not sent; it is sent when its lease ends',
  renew: 'leases of digests could not be renewed',
};

/** Sends digests at their time. Safe to run on several replicas at once. */
@Injectable()
export class DigestsJob extends LeasedWorkJob<ClaimedDigest> {
  protected readonly leased: LeasedWork<ClaimedDigest>;

  constructor(leasedWork: LeasedWorkFactory, repository: DigestsRepository, sending: DigestSendingService) {
    super();
    this.leased = leasedWork.create<ClaimedDigest>({
      name: 'digests',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: ({ projectId }) => projectId,
      claim: (terms, { total }) => repository.claim(terms, total),
      work: (digest, lease) => sending.sendDue(digest, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('digests', POLL_MS)
  override wake(): void {
    super.wake();
  }
}
