import { Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../../libs/engine/index.js';
import type {
  PostedReceipt,
  UnknownValue,
  VerificationFailure,
  Verified,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { isAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { NamedOwner, ReportedPurchases } from '../../purchases/ownership/reported-owners.service.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { StoreConnectionsService } from '../shared/store-connections.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';
import { NotificationDelayed, type NotificationOutcome } from './notification-source.js';

/** A purchase that a notification names. Nothing else in the notification is trusted. */
export interface NotifiedPurchase {
  key: string;
  environment: Environment;
}

type Reported = Pick<
  Verified,
  'failure' | 'environment' | 'purchases' | 'accounts' | 'appUserId' | 'appUserIds'
>;

function notedBy(appUserId: string | undefined): Pick<NamedOwner, 'noted'> {
  return appUserId !== undefined && isAppUserId(appUserId) ? { noted: appUserId } : {};
}

/** Null if a retry cannot help: it is not a purchase, or it is not paid for yet. */
function delayOf(failure: VerificationFailure): NotificationDelayed | null {
  if (failure.failure === 'permanent' || failure.code === 7651) return null;
  const { message } = failure;
  return new NotificationDelayed(
    message,
    failure.failure === 'temporary' ? (failure.retryAfterMs ?? null) : null,
  );
}

/** Records the purchases that notifications concern, calling the store if the notification is not enough. */
@Injectable()
export class NotifiedPurchases {
  constructor(
    private readonly connections: StoreConnectionsService,
    private readonly reported: ReportedPurchasesService,
    private readonly credentials: CredentialHealthService,
    private readonly refreshes: StoreRefreshesService,
    private readonly unknownValues: UnknownValuesService,
  ) {}

  /** Fetches and records the store's report. @throws NotificationDelayed while the store does not answer */
  async fetch(app: App, { key, environment }: NotifiedPurchase): Promise<NotificationOutcome> {
    const adapter = this.connections.adapterFor(app);
    const refreshed = await adapter?.refresh?.(key, environment);
    if (!adapter || !refreshed) return 'ignored_type';
    await this.credentials.recordResult(app, adapter.store, refreshed);
    return this.recordAnswer(app, refreshed.failure === null ? { ...refreshed, environment } : refreshed, {
      key,
    });
  }

  /** @throws NotificationDelayed if the store cannot be called */
  async verify(
    app: App,
    receipt: Pick<PostedReceipt, 'fetchToken' | 'storeUserId'>,
    nowMs: number,
  ): Promise<Verified | VerificationFailure> {
    const adapter = this.connections.adapterFor(app);
    if (!adapter) throw new NotificationDelayed('The store cannot be asked.');
    const nothingKnown = { productIds: [], price: null, country: null, presentedOfferingId: null };
    const context = { nowMs, product: () => undefined, hadProduct: () => false };
    const answer = await adapter.verify({ ...receipt, ...nothingKnown }, context);
    await this.credentials.recordResult(app, adapter.store, answer);
    return answer;
  }

  /**
   * Records a store's answer. A purchase without an owner is assigned to the customer of the store account if the app
   * tracks new purchases and the report is complete enough to record; `isNew` false means that it is not. `key` names
   * the requested purchase: others in the answer get the same owner.
   * @throws NotificationDelayed if the store did not answer
   */
  async recordAnswer(
    app: App,
    answer: Reported | VerificationFailure,
    { isNew = true, key }: { isNew?: boolean; key?: string } = {},
  ): Promise<NotificationOutcome> {
    if (answer.failure !== null) {
      const delay = delayOf(answer);
      if (delay) throw delay;
      return 'ignored_unknown_purchase';
    }
    const store = this.connections.adapterFor(app)?.store;
    if (!store) return 'ignored_type';
    const { environment, purchases, accounts = [], appUserId, appUserIds } = answer;
    const account = { predecessor: key, accounts, appUserIds, ...notedBy(appUserId) };
    const unowned = await this.record(app, { store, environment, purchases }, isNew ? account : null, key);
    return unowned.length === 0 ? 'processed' : 'ignored_unknown_purchase';
  }
  /**
   * Records a store's report on purchases. Those without an owner are assigned to the customer that the store names, if
   * the app tracks new purchases. Returns the keys of those that still have no owner.
   */
  record(
    { projectId, id: appId, storeSettings }: App,
    report: Omit<ReportedPurchases, 'projectId' | 'appId'>,
    account: NamedOwner | null,
    key?: string,
  ): Promise<string[]> {
    const reported = { ...report, projectId, appId };
    return account !== null && storeSettings.track_new_purchases === true
      ? this.reported.recordForAccount(reported, account)
      : this.reported.record(reported, key === undefined ? { kind: 'none' } : { kind: 'owner_of', key });
  }

  requestRefresh(
    { projectId, id: appId }: App,
    { key, environment }: NotifiedPurchase,
    delayMs?: number,
  ): Promise<void> {
    return this.refreshes.request({ projectId, appId, environment }, [key], delayMs);
  }

  /** Records values in a notification, or in an answer to it, that no adapter knows. */
  recordUnknown(app: App, values: UnknownValue[] = []): void {
    this.unknownValues.record(app, values);
  }

  /** Ignores a failure that a retry cannot fix. @throws NotificationDelayed for any other */
  async failed(app: App, store: Store, failure: VerificationFailure): Promise<void> {
    const delay = delayOf(failure);
    if (!delay) return;
    await this.credentials.recordResult(app, store, failure);
    throw delay;
  }
}
