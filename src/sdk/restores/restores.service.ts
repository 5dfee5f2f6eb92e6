import { Inject, Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Verified } from '../../../libs/stores/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/customers-query.service.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import { StoreAccountsService } from '../../customers/customers/store-accounts.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { subscriptionOfPurchase, oneTimeOfPurchase } from '../../customers/customers/customer-purchases.js';
import { PurchaseClaims } from '../../purchases/recording/purchase-claims.service.js';
import { applyOwned } from '../../purchases/recording/apply-purchases.js';
import type { OwnedPurchases } from '../../purchases/recording/posted-purchases.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { ReceiptFollowUp } from '../receipts/receipt-follow-up.js';
import { namesOfOrder } from './order-ids.js';
import { OrderLookups } from './order-lookups.js';

export interface RestoreRequest {
  appUserId: string;
  orderId: string;
  requestId: string;
}

/** A purchase that an order id names; one that was not known has neither id nor key. */
interface Ordered {
  id?: string;
  key?: string;
  store: Store;
  environment: Environment;
  appId: string | null;
}

const nothingBought = { purchases: [] };
const FEW = { limit: 10, after: null };

/** Restores purchases that customers name by an order. */
@Injectable()
export class RestoresService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly customersQuery: CustomersQueryService,
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly claims: PurchaseClaims,
    private readonly accounts: StoreAccountsService,
    private readonly catalogs: CatalogService,
    private readonly orders: OrderLookups,
    private readonly reported: ReportedPurchasesService,
    private readonly followUp: ReceiptFollowUp,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Makes a purchase the customer's as if they had restored it, where the transfer behaviour lets them; one that nobody
   * has posted is looked up at its store. Gives the customer as they are afterwards.
   * @throws ApiError 404 for an unknown customer or order; 409 when the purchase stays with another customer; 422 when
   *   the store of the order can only be asked with credentials that are missing; 503 when it cannot be asked
   */
  async restore(write: ProjectWrite, request: RestoreRequest): Promise<CustomerRow> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    await this.customersQuery.get(projectId, request.appUserId);
    const ordered = await this.find(projectId, request.orderId);
    if (ordered) {
      return this.database.transaction(
        (tx) => this.run(tx, write, catalog, request, ordered, nothingBought),
        {
          retryUniqueViolation: true,
        },
      );
    }
    const { appId, store, verified } = await this.orders.find(projectId, request.orderId);
    const { environment, purchases } = verified;
    const place = { appId, store, environment };
    const customer = await this.database
      .transaction((tx) => this.run(tx, write, catalog, request, place, verified), {
        retryUniqueViolation: true,
      })
      .catch(async (error: unknown) => {
        // What the store said of purchases that stay with others is true all the same.
        if (error instanceof ApiError) await this.reported.record({ projectId, ...place, purchases });
        throw error;
      });
    await this.followUp.run(projectId, appId, verified);
    return customer;
  }

  /** `purchases` are what the store tells of an order that was not known. */
  private async run(
    tx: Transaction,
    write: ProjectWrite,
    catalog: Catalog,
    { appUserId, requestId }: RestoreRequest,
    { id, key, store, environment, appId }: Ordered,
    { purchases, accounts = [] }: Pick<Verified, 'purchases' | 'accounts'>,
  ): Promise<CustomerRow> {
    const { projectId } = write;
    const named = key === undefined ? purchases : [{ key }];
    const purchaseKeys = { store, environment, keys: named.map((purchase) => purchase.key) };
    const appAccounts = appId === null ? [] : accounts.map((account) => ({ ...account, appId }));
    await this.accounts.lock(tx, [{ projectId, ...purchaseKeys, accounts: appAccounts }]);
    const locked = await this.customers.lock(tx, projectId, { appUserIds: [appUserId], purchaseKeys });
    if (!locked.some((row) => hasAppUserId(row, appUserId))) {
      throw new ConcurrentChange('a customer changed before it was locked');
    }
    const claim = { projectId, appId, store, environment, appUserId, requestId, purchases: named };
    const restored = await this.claims.claim(
      tx,
      { ...claim, accounts, device: null, isRestore: true },
      catalog,
    );
    if (restored.kind === 'refused') {
      throw ApiError.alreadyExists('order_id', 'The purchase belongs to another customer and stays there.');
    }
    const { customer, nowMs } = restored;
    const owned = appId === null ? null : { ...claim, appId, purchases };
    if (owned) assertSells(owned, customer);
    await this.recorder.record(tx, { catalog, nowMs }, async (change) => {
      await this.claims.take(tx, change, restored);
      if (owned) applyOwned(change, owned, customer, nowMs);
    });
    await this.audit.record(tx, write, {
      action: 'purchase_restored',
      target: 'customer',
      targetId: customer.originalAppUserId,
      data: { purchase_id: id ?? (owned && boughtId(owned, customer)) },
    });
    return customer;
  }

  /** What customers bought, not what they were granted; production before sandbox, the newest first. */
  private async find(projectId: string, orderId: string): Promise<Ordered | null> {
    for (const name of namesOfOrder(orderId)) {
      const subscriptions = await this.lookups.subscriptionsNamed(projectId, name, FEW);
      const oneTime = await this.lookups.oneTimeNamed(projectId, name, FEW);
      const found: Ordered[] = [
        ...subscriptions.map(({ owned: { subscription } }) => ({
          ...subscription,
          key: subscription.storeKey,
        })),
        ...oneTime.map(({ owned: { purchase } }) => ({ ...purchase, key: purchase.purchaseKey })),
      ].filter(({ store }) => store !== 'promotional');
      const [first] = found;
      if (first) return found.find(({ environment }) => environment === 'production') ?? first;
    }
    return null;
  }
}

/** @throws ApiError 422 for a customer who lives by a test clock */
function assertSells({ purchases }: OwnedPurchases, { testClockId }: CustomerRow): void {
  if (purchases.length === 0 || testClockId === null) return;
  throw new ApiError('impossible', 'The customer lives by a test clock: only the Test Store sells to them.');
}

/** The id of the last of the recorded purchases; null without any. */
function boughtId(owned: OwnedPurchases, { subscriptions, purchases }: CustomerRow): string | null {
  const last = owned.purchases.at(-1);
  if (!last) return null;
  const bought =
    last.kind === 'subscription'
      ? subscriptionOfPurchase(subscriptions, owned, last)
      : oneTimeOfPurchase(purchases, owned, last);
  return bought?.id ?? null;
}
