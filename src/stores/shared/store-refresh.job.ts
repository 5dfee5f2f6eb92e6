import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { PurchaseRefresher } from './purchase-refresher.service.js';
import { type ClaimedRefresh, StoreRefreshesRepository } from './store-refreshes.repository.js';

const LEASE_MS = 120_000;
const POLL_MS = 1_000;
const SLOTS = { total: 10, perKey: 2 };

const MINUTE_MS = 60_000;
/** Pauses between attempts. After the last one, only the next notification or receipt brings an update. */
const DAY_MS = 1_440 * MINUTE_MS;
const PAUSES_MS = [...[1, 10, 60, 360].map((minutes) => minutes * MINUTE_MS), DAY_MS, DAY_MS];

const failedTo = {
  claim: 'purchases to be refreshed could not be claimed; the next poll tries again',
  work: 'the refresh of a purchase was not recorded; it is tried again when its lease ends',
  renew: 'leases of refreshes could not be renewed',
};

/** Reads purchases from stores in the background when a receipt or notification was not enough. */
@Injectable()
export class StoreRefreshJob extends LeasedWorkJob<ClaimedRefresh> {
  protected readonly leased: LeasedWork<ClaimedRefresh>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: StoreRefreshesRepository,
    private readonly refresher: PurchaseRefresher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedRefresh>({
      name: 'store_refreshes',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: ({ appId }) => appId,
      claim: (terms, free) => repository.claim(terms, free),
      work: (target, lease) => this.refresh(target, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('store-refreshes', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async refresh(target: ClaimedRefresh, lease: Lease): Promise<void> {
    const result = await this.refresher.refresh(target);
    await lease.record(async (leaseUntil) => {
      if (result === null) return this.repository.done(target, leaseUntil);
      if ('waitMs' in result) {
        const dueAt = new Date(this.clock.nowMs() + result.waitMs);
        return this.repository.postpone(target, leaseUntil, dueAt);
      }
      // Credentials may be refused for weeks.
      const lastMs = result.failure === 'credentials' ? DAY_MS : undefined;
      const pauseMs = PAUSES_MS[target.attempts] ?? lastMs;
      if (result.failure === 'permanent' || pauseMs === undefined) {
        return this.repository.done(target, leaseUntil);
      }
      const wishMs = result.failure === 'temporary' ? (result.retryAfterMs ?? 0) : 0;
      const dueAt = new Date(this.clock.nowMs() + Math.max(pauseMs, wishMs));
      return this.repository.again(target, leaseUntil, dueAt, result.message);
    });
  }
}
