import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { VerificationFailure, Verified } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { nobody, ToldPurchasesService } from '../../purchases/recording/told-purchases.service.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { StoreConnections } from '../shared/store-connections.js';
import { NotificationDelayed, type NotificationOutcome } from './notification-source.js';

/** A purchase that a notification names, without being believed anything else. */
export interface NotifiedPurchase {
  key: string;
  environment: Environment;
}

/** What a store said of purchases. */
type Told = Pick<Verified, 'failure' | 'environment' | 'purchases' | 'accounts'>;

/** Null for what no repetition of the question changes: the purchase is not one, or nobody has paid for it yet. */
function delayOf(failure: VerificationFailure): NotificationDelayed | null {
  if (failure.failure === 'permanent' || failure.code === 7651) return null;
  const { message } = failure;
  return new NotificationDelayed(
    message,
    failure.failure === 'temporary' ? (failure.retryAfterMs ?? null) : null,
  );
}

/** For stores whose notifications only say that something has changed: what it is, the store is asked for. */
@Injectable()
export class NotifiedPurchases {
  constructor(
    private readonly connections: StoreConnections,
    private readonly told: ToldPurchasesService,
    private readonly credentials: CredentialHealth,
  ) {}

  /** Asks the store and records the answer. @throws NotificationDelayed while the store does not answer */
  async fetch(app: App, { key, environment }: NotifiedPurchase): Promise<NotificationOutcome> {
    const adapter = this.connections.adapterFor(app);
    const refreshed = await adapter?.refresh?.(key, environment);
    if (!adapter || !refreshed) return 'ignored_type';
    await this.credentials.note(app, adapter.store, refreshed);
    return this.settle(app, refreshed.failure === null ? { ...refreshed, environment } : refreshed);
  }

  /**
   * Records an answer of the store. What nobody owns goes to the customer of the store account, where the app
   * tracks new purchases and it can be recorded: `isNew` false says that there is not enough of it.
   * @throws NotificationDelayed when the store did not answer
   */
  async settle(
    app: App,
    answer: Told | VerificationFailure,
    { isNew = true } = {},
  ): Promise<NotificationOutcome> {
    if (answer.failure !== null) {
      const delay = delayOf(answer);
      if (delay) throw delay;
      return 'ignored_unknown_purchase';
    }
    const { projectId, id: appId, storeSettings } = app;
    const store = this.connections.adapterFor(app)?.store;
    if (!store) return 'ignored_type';
    const { environment, purchases, accounts = [] } = answer;
    const told = { projectId, appId, store, environment, purchases };
    const isTracked = isNew && storeSettings.track_new_purchases === true;
    const unowned = isTracked
      ? await this.told.recordForAccount(told, { accounts })
      : await this.told.record(told, nobody);
    return unowned.length === 0 ? 'processed' : 'ignored_unknown_purchase';
  }
}
