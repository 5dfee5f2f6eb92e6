import { Injectable } from '@nestjs/common';
import type { VerificationFailure } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { CredentialHealthService } from './credential-health.service.js';
import { StoreBudgetsService } from './store-budgets.service.js';
import { StoreConnectionsService } from './store-connections.service.js';
import type { RefreshTarget } from './store-refreshes.repository.js';

@Injectable()
export class PurchaseRefresher {
  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly budgets: StoreBudgetsService,
    private readonly health: CredentialHealthService,
    private readonly reported: ReportedPurchasesService,
    private readonly log: LogService,
  ) {}

  /** Null if done. `waitMs`: how long to wait before calling the store. Never throws a store's error. */
  async refresh(target: RefreshTarget): Promise<VerificationFailure | { waitMs: number } | null> {
    const found = await this.connections.ofApp(target.projectId, target.appId);
    if (!found) return null;
    const waitMs = await this.budgets.take(found.connection, target);
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
      await this.health.note(app, adapter.store, result);
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
