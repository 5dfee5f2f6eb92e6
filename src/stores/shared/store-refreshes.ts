import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { VerificationFailure } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { Log } from '../../platform/observability/log.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { CredentialHealth } from './credential-health.js';
import { StoreBudgets } from './store-budgets.js';
import { StoreConnections } from './store-connections.js';
import {
  type ClaimedRefresh,
  type RefreshTarget,
  StoreRefreshesRepository,
} from './store-refreshes.repository.js';

const LEASE_MS = 120_000;
const POLL_MS = 1_000;
const SLOTS = { total: 10, perKey: 2 };

const MINUTE_MS = 60_000;
/** Pauses between attempts; then whatever happens next (a notification, a receipt) has to bring the news. */
const DAY_MS = 1_440 * MINUTE_MS;
const PAUSES_MS = [...[1, 10, 60, 360].map((minutes) => minutes * MINUTE_MS), DAY_MS, DAY_MS];

const failedTo = {
  claim: 'purchases to be refreshed could not be claimed; the next look tries again',
  work: 'the refresh of a purchase was not recorded; it is tried again when its lease ends',
  renew: 'leases of refreshes could not be renewed',
};

/** Asks stores about purchases in the background: what a receipt or a notification left open. */
@Injectable()
export class StoreRefreshes implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly refreshes: LeasedWork<ClaimedRefresh>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: StoreRefreshesRepository,
    private readonly connections: StoreConnections,
    private readonly health: CredentialHealth,
    private readonly budgets: StoreBudgets,
    private readonly reported: ReportedPurchasesService,
    private readonly apps: AppsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.refreshes = leasedWork.create<ClaimedRefresh>({
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

  onModuleInit(): void {
    this.health.onRecovery(async (place) => {
      await this.repository.retry(place, new Date(this.clock.nowMs()));
      this.wake();
    });
  }

  /** Has a store asked about purchases, `delayMs` from now at the latest. Survives the end of this process. */
  async request(target: Omit<RefreshTarget, 'key'>, keys: string[], delayMs = 0): Promise<void> {
    await this.repository.request(target, keys, new Date(this.clock.nowMs() + delayMs));
    if (delayMs === 0) this.wake();
  }

  @Interval('store-refreshes', POLL_MS)
  wake(): void {
    this.refreshes.wake();
  }

  /** Asks about everything that is due now. */
  drain(): Promise<void> {
    return this.refreshes.drain();
  }

  beforeApplicationShutdown(): void {
    void this.refreshes.stop();
  }

  onApplicationShutdown(): Promise<void> {
    return this.refreshes.stop();
  }

  private async refresh(target: ClaimedRefresh, lease: Lease): Promise<void> {
    const app = await this.apps.find(target.projectId, target.appId);
    const connection = app && this.connections.of(app.type);
    const waitMs = connection ? await this.budgets.take(connection, target) : 0;
    if (waitMs > 0) {
      const dueAt = new Date(this.clock.nowMs() + waitMs);
      return lease.record((leaseUntil) => this.repository.postpone(target, leaseUntil, dueAt));
    }
    const failure = await this.attempt(target, app);
    if (failure?.failure === 'temporary' && failure.retryAfterMs) {
      await this.budgets.block(target, failure.retryAfterMs);
    }
    await lease.record(async (leaseUntil) => {
      // Credentials may be refused for weeks.
      const lastMs = failure?.failure === 'credentials' ? DAY_MS : undefined;
      const pauseMs = PAUSES_MS[target.attempts] ?? lastMs;
      if (failure === null || failure.failure === 'permanent' || pauseMs === undefined) {
        return this.repository.done(target, leaseUntil);
      }
      const wishMs = failure.failure === 'temporary' ? (failure.retryAfterMs ?? 0) : 0;
      const dueAt = new Date(this.clock.nowMs() + Math.max(pauseMs, wishMs));
      return this.repository.again(target, leaseUntil, dueAt, failure.message);
    });
  }

  /** Null when nothing is left to be done. */
  private async attempt(target: ClaimedRefresh, app: App | null): Promise<VerificationFailure | null> {
    const { projectId, appId, environment, key } = target;
    try {
      const adapter = app && this.connections.adapterFor(app);
      if (!app || !adapter?.refresh) return null;
      const result = await adapter.refresh(key, environment);
      await this.health.note(app, adapter.store, result);
      if (result.failure !== null) return result;
      const { store } = adapter;
      const reported = { projectId, appId, store, environment, purchases: result.purchases };
      await this.reported.record(reported, { kind: 'owner_of', key });
      if (!result.unfinished) return null;
      return { failure: 'temporary', code: 7101, message: 'The store told only a part.' };
    } catch (error) {
      this.log.error({ err: error, projectId, appId, environment, key }, 'a purchase was not refreshed');
      return { failure: 'temporary', code: 7101, message: 'The server failed; the log tells why.' };
    }
  }
}
