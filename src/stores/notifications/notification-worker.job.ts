import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { NotificationProcessor } from './notification-processor.service.js';
import { type ClaimedNotification, StoreNotificationsRepository } from './store-notifications.repository.js';

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const SLOTS = { total: 20, perKey: 5 };

const failedTo = {
  claim: 'store notifications could not be claimed; the next poll tries again',
  work: 'the result of a store notification was not recorded; it is processed again when its lease ends',
  renew: 'leases of store notifications could not be renewed',
};

/** Wakes up when a notification is saved. The poll finds retries, work of replicas that died, and missed wake-ups. */
@Injectable()
export class NotificationWorkerJob extends LeasedWorkJob<ClaimedNotification> {
  protected readonly leased: LeasedWork<ClaimedNotification>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: StoreNotificationsRepository,
    private readonly processor: NotificationProcessor,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedNotification>({
      name: 'store_notifications',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: ({ appId }) => appId,
      claim: (terms, free) => repository.claim(terms, free),
      work: (notification, lease) => this.process(notification, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('store-notifications', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async process(notification: ClaimedNotification, lease: Lease): Promise<void> {
    const result = await this.processor.process(notification);
    await lease.record(async (leaseUntil) => {
      await this.repository.finish(notification, leaseUntil, result);
      if (result.state !== 'ignored_unknown_purchase') return;
      if (await this.repository.reactivateIfKnown(notification, new Date(this.clock.nowMs()))) this.wake();
    });
  }
}
