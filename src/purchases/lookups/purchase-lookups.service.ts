import { Inject, Injectable } from '@nestjs/common';
import {
  type Environment,
  latestContinuation,
  type Store,
  type SubscriptionState,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import type { Executor } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import {
  type OwnedSubscription,
  type OwnedOneTime,
  ownedSubscription,
  ownedOneTime,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { ImportedKeysService } from './imported-keys.service.js';
import type { PurchaseView } from './purchase.presenter.js';
import {
  type FoundRows,
  type KnownPurchase,
  type OrderKey,
  type OwnedPurchase,
  PurchaseLookupsRepository,
  type RentedProduct,
} from './purchase-lookups.repository.js';
import { type PurchaseKind, PurchasesRepository } from './purchases.repository.js';

export interface FoundPurchase<Owned> {
  /** When the purchase started. */
  at: Date;
  owned: Owned;
  view: PurchaseView;
}

/** Rentals of a product without a duration, which unlock nothing. */
export interface EndlessRental extends RentedProduct {
  appName: string;
}

/** A purchase that an order paid for. */
export interface OrderedPurchase {
  purchaseKey: string;
  environment: Environment;
}

/** Apps of a project can sell under equal order ids. */
const FIRST_OF_ORDER = { limit: 5, after: null };

/** Purchases per batch. */
const BATCH = 1_000;

const nouns: Record<PurchaseKind, string> = { subscription: 'subscription', one_time: 'purchase' };

/** Finds purchases by their own id, or by any id that their store ever assigned. */
@Injectable()
export class PurchaseLookupsService {
  constructor(
    private readonly repository: PurchaseLookupsRepository,
    private readonly purchases: PurchasesRepository,
    private readonly catalogs: CatalogService,
    private readonly imported: ImportedKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404 */
  subscription(projectId: string, id: string): Promise<FoundPurchase<OwnedSubscription>> {
    return this.one(projectId, 'subscription', id, (row) =>
      ownedSubscription(row, timeOf(row, this.clock.nowMs())),
    );
  }

  /** The present states of subscriptions by their ids; omits unknown ones. */
  async subscriptionStates(
    executor: Executor,
    projectId: string,
    ids: readonly string[],
  ): Promise<Map<string, SubscriptionState>> {
    const nowMs = this.clock.nowMs();
    const rows = await this.repository.subscriptionsByIds(executor, projectId, ids);
    return new Map(rows.map((row) => [row.id, ownedSubscription(row, nowMs).state]));
  }

  /** @throws ApiError 404 */
  oneTime(projectId: string, id: string): Promise<FoundPurchase<OwnedOneTime>> {
    return this.one(projectId, 'one_time', id, ownedOneTime);
  }

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  subscriptionsNamed(
    projectId: string,
    storeIdentifier: string,
    page: PageRequest,
  ): Promise<FoundPurchase<OwnedSubscription>[]> {
    const nowMs = this.clock.nowMs();
    return this.named(projectId, 'subscription', storeIdentifier, page, (row) =>
      ownedSubscription(row, timeOf(row, nowMs)),
    );
  }

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  oneTimeNamed(
    projectId: string,
    storeIdentifier: string,
    page: PageRequest,
  ): Promise<FoundPurchase<OwnedOneTime>[]> {
    return this.named(projectId, 'one_time', storeIdentifier, page, ownedOneTime);
  }

  /** A purchase by its store key, with the time of its last report; null if it was never recorded. */
  knownAs(projectId: string, store: Store, key: string): Promise<KnownPurchase | null> {
    return this.repository.known(projectId, store, key);
  }

  /** Whether an unknown purchase token may belong to an imported subscription. */
  async isTokenAwaited(projectId: string, appId: string): Promise<boolean> {
    return this.imported.isWaiting(await this.catalogs.get(projectId), appId);
  }

  /** The store's current name of a subscription: its key, or the name of the latest purchase that continued it. */
  async presentName(projectId: string, store: Store, key: string): Promise<string> {
    const found = await this.repository.continuations(projectId, store, key);
    return (found && latestContinuation({ continuations: found })) ?? key;
  }

  /** All one-time purchases of a store's product that customers still own, in batches. */
  async *ownedOfProduct(
    app: { projectId: string; appId: string },
    storeProductId: string,
  ): AsyncGenerator<OwnedPurchase[]> {
    let last: Pick<OwnedPurchase, 'at' | 'key'> | undefined = { at: new Date(0), key: '' };
    while (last) {
      const batch = await this.repository.ownedOfProduct(app, storeProductId, last, BATCH);
      if (batch.length > 0) yield batch;
      last = batch[BATCH - 1];
    }
  }

  /** Rented products without a duration, each at most once. */
  async endlessRentals(projectId: string): Promise<EndlessRental[]> {
    const rented = await this.repository.rentedProducts(projectId);
    if (rented.length === 0) return [];
    const catalog = await this.catalogs.get(projectId);
    return rented.flatMap((one) => {
      const app = catalog.apps.get(one.appId);
      const product = catalog.productOf(one.appId, one.storeProductId);
      const isEndless = product !== undefined && product.type !== 'subscription' && product.duration === null;
      return app && isEndless ? [{ ...one, appName: app.name }] : [];
    });
  }

  /** The store's ids of a subscription's latest periods, latest first. */
  transactionIds(projectId: string, store: Store, key: string): Promise<string[]> {
    return this.repository.transactionIds(projectId, store, key);
  }

  /** Maps purchase names to subscription keys. A purchase that continues no subscription maps to its own name. */
  async storeKeys(projectId: string, store: Store, names: string[]): Promise<(name: string) => string> {
    const found = await this.repository.continued(projectId, store, names);
    return (name) => found.get(name) ?? name;
  }

  /** Keys of the one-time purchases that orders paid for; several if an order had several products. */
  keysOfOrders(projectId: string, store: Store, orderIds: string[]): Promise<OrderKey[]> {
    return this.repository.keysOfOrders(projectId, store, orderIds);
  }

  /** The app's purchase that an order paid for; null if it is not known. */
  async purchaseOfOrder(projectId: string, appId: string, orderId: string): Promise<OrderedPurchase | null> {
    const subscriptions = await this.subscriptionsNamed(projectId, orderId, FIRST_OF_ORDER);
    const subscription = subscriptions.find(({ owned }) => owned.row.appId === appId)?.owned.subscription;
    if (subscription) return { purchaseKey: subscription.storeKey, environment: subscription.environment };
    const purchases = await this.oneTimeNamed(projectId, orderId, FIRST_OF_ORDER);
    const purchase = purchases.find(({ owned }) => owned.row.appId === appId)?.owned.purchase;
    return purchase ? { purchaseKey: purchase.purchaseKey, environment: purchase.environment } : null;
  }

  private async one<Kind extends PurchaseKind, Owned>(
    projectId: string,
    kind: Kind,
    id: string,
    own: (row: FoundRows[Kind], catalog: Catalog) => Owned,
  ): Promise<FoundPurchase<Owned>> {
    const named = await this.repository.find(projectId, kind, id);
    const alias = named || kind !== 'subscription' ? null : await this.repository.aliased(projectId, id);
    const row = alias === null ? named : await this.repository.find(projectId, kind, alias);
    const [found] = row ? await this.viewed(projectId, kind, [row], own) : [];
    if (!found) throw ApiError.missing(nouns[kind], id);
    return found;
  }

  private async named<Kind extends PurchaseKind, Owned>(
    projectId: string,
    kind: Kind,
    storeIdentifier: string,
    page: PageRequest,
    own: (row: FoundRows[Kind], catalog: Catalog) => Owned,
  ): Promise<FoundPurchase<Owned>[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(projectId, kind, id, storeIdentifier);
      return found && [found.at, found.id];
    });
    const rows = await this.repository.page(projectId, kind, storeIdentifier, page, after);
    return this.viewed(projectId, kind, rows, own);
  }

  private async viewed<Kind extends PurchaseKind, Owned>(
    projectId: string,
    kind: Kind,
    rows: FoundRows[Kind][],
    own: (row: FoundRows[Kind], catalog: Catalog) => Owned,
  ): Promise<FoundPurchase<Owned>[]> {
    const catalog = await this.catalogs.get(projectId);
    const ids = rows.map(({ id }) => id);
    const usd = await this.purchases.usdTotals(projectId, kind, ids);
    return rows.map((row) => ({
      at: row.at,
      owned: own(row, catalog),
      view: { catalog, customerAppUserId: row.customerAppUserId, usd },
    }));
  }
}
