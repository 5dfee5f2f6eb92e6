import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import {
  type ClaimedRefresh,
  StoreRefreshesRepository,
  type RefreshTarget,
} from './store-refreshes.repository.js';
import type { VerificationFailure } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { CredentialHealthService } from './credential-health.service.js';
import { StoreBudgetsService } from './store-budgets.service.js';
import { StoreConnectionsService } from './store-connections.service.js';

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
    private readonly connections: StoreConnectionsService,
    private readonly budgets: StoreBudgetsService,
    private readonly health: CredentialHealthService,
    private readonly reported: ReportedPurchasesService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.createByApp<ClaimedRefresh>({
      name: 'store_refreshes',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      queue: repository,
      work: (target, lease) => this.refresh(target, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('store-refreshes', POLL_MS)
  override wake(app?: AppPlace): void {
    super.wake(app);
  }

  private async refresh(target: ClaimedRefresh, lease: Lease): Promise<void> {
    const result = await this.readFromStore(target);
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

  /** Null if done. `waitMs`: how long to wait before calling the store. Never throws a store's error. */
  private async readFromStore(
    target: RefreshTarget,
  ): Promise<VerificationFailure | { waitMs: number } | null> {
    const found = await this.connections.forApp(target.projectId, target.appId);
    if (!found) return null;
    const waitMs = await this.budgets.reserve(found.connection, target);
    if (waitMs > 0) return { waitMs };
    const failure = await this.attempt(target, found.app);
    if (failure?.failure === 'temporary' && failure.retryAfterMs) {
      await this.budgets.block(found.connection, target, failure.retryAfterMs);
    }
    return failure;
  }

  private async attempt(target: RefreshTarget, app: App): Promise<VerificationFailure | null> {
    const { projectId, appId, environment, key } = target;
    try {
      const adapter = this.connections.adapterFor(app);
      if (!adapter?.refresh) return null;
      const result = await adapter.refresh(key, environment);
      await this.health.recordResult(app, adapter.store, result);
      if (result.failure !== null) return result;
      const { store } = adapter;
      const reported = { projectId, appId, store, environment, purchases: result.purchases };
      await this.reported.record(reported, { kind: 'owner_of', key });
      if (!result.unfinished) return null;
      return { failure: 'temporary', code: 7101, message: "The store's report is incomplete." };
    } catch (error) {
      this.log.error({ err: error, projectId, appId, environment, key }, 'a purchase was not refreshed');
      return { failure: 'temporary', code: 7101, message: "The server failed; see the server's log." };
    }
  }
}
