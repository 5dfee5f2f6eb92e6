import { Inject, Injectable } from '@nestjs/common';
import {
  type Environment,
  type Store,
  type Circumstances,
  importSubscription,
  noSubscriptionFacts,
  type Subscription,
  type SubscriptionChange,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { isOf, subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { type SubscriptionRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { keyStateOf } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { PurchaseRecorder } from './purchase.recorder.js';

export interface ConfirmedKey {
  projectId: string;
  store: Store;
  environment: Environment;
  /** The key under which the subscription was imported. */
  importedKey: string;
  /** The subscription's own key at its store. */
  storeKey: string;
}

/** Replaces the guessed keys of imported subscriptions with the stores' own keys. */
@Injectable()
export class SubscriptionKeysService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The subscription retains its id, owner, money and state; nothing is emitted. If another subscription already has
   * the store's key, merges the two. Store reports (`ReportedPurchasesService`) do the same automatically: this is for
   * stores that report only the key. Returns false if no subscription is waiting under the imported key, or if another
   * customer owns the store's key.
   */
  async confirm({ projectId, store, environment, importedKey, storeKey }: ConfirmedKey): Promise<boolean> {
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(
      async (tx) => {
        const purchaseKeys = { store, environment, keys: [importedKey, storeKey] };
        const rows = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
        const realMs = this.clock.nowMs();
        const customer = rows.find(({ subscriptions }) =>
          subscriptions.some((row) => row.storeKey === importedKey && row.store === store),
        );
        const row = customer?.subscriptions.find(
          (one) => one.storeKey === importedKey && one.store === store,
        );
        if (!customer || !row || keyStateOf(row) === null) return false;
        const isOther = (one: SubscriptionRow): boolean =>
          one.storeKey === storeKey && isOf(one, { store, environment }) && one.id !== row.id;
        const other = customer.subscriptions.find(isOther);
        // Another customer's subscription does not move.
        if (!other && rows.some(({ subscriptions }) => subscriptions.some(isOther))) return false;
        const owner = { customer, appId: row.appId, seenAs: customer.originalAppUserId };
        const scope = { catalog, nowMs: realMs, preparesAnswers: false };
        await this.recorder.record(tx, scope, (change) => {
          if (other) return void change.fold([other, row], storeKey, owner);
          const nowMs = timeOf(customer, realMs);
          const circumstances = change.circumstances(row.appId, nowMs);
          change.addSubscription(withKey(subscriptionOf(row), storeKey, nowMs, circumstances), owner);
        });
        return true;
      },
      { retryUniqueViolation: true },
    );
  }
}

/** The same subscription under the store's own key. The key is no longer a guess, so access is no longer held open. */
function withKey(
  subscription: Subscription,
  storeKey: string,
  nowMs: number,
  circumstances: Circumstances,
): SubscriptionChange {
  const { imported } = subscription.facts;
  const statedAt = Math.max(imported?.guessed?.at ?? 0, imported?.held?.at ?? 0) + 1;
  const confirmed = { at: statedAt, src: 'import' as const };
  const facts = {
    ...noSubscriptionFacts,
    imported: {
      periods: {},
      refunds: {},
      renewal: null,
      hints: null,
      held: { ...confirmed, value: null },
      guessed: { ...confirmed, value: false },
    },
  };
  const terms = { ...circumstances, asOfMs: nowMs, emits: false };
  return importSubscription({ ...subscription, storeKey }, facts, nowMs, terms);
}
