import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  applySubscription,
  type Environment,
  type Store,
  viewSubscription,
} from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { type TimelineStep, saleRefunded, type Scenario, soldOnce } from '../../../libs/stores/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type SubscriptionRow, type CustomerRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import type { EventWrite } from '../../purchases/recording/change-set.js';
import { subscriptionOf } from '../../customers/customers/customer-purchases.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { PurchaseClaims } from '../../purchases/recording/purchase-claims.service.js';
import { applyOwned } from '../../purchases/recording/apply-purchases.js';
import type { OwnedPurchases } from '../../purchases/recording/posted-purchases.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';
import { requestedAct, stepsOf } from './test-act.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';
import { lifeOf, type TestSale, testSale } from './test-sale.js';

/** What a scenario left behind. */
export interface TestPurchase {
  scenario: Scenario;
  /** The store's id of the purchase, or of the latest period. */
  storeTransactionId: string;
  /** An id of whoever bought. */
  appUserId: string;
  /** One of the two is null. */
  subscriptionId: string | null;
  purchaseId: string | null;
  events: Pick<EventWrite, 'id' | 'type'>[];
}

const place: { store: Store; environment: Environment } = { store: 'test_store', environment: 'sandbox' };

/** Records what scenarios tell of Test Store purchases, each step as of its own time. */
@Injectable()
export class TestPurchasesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly claims: PurchaseClaims,
    private readonly lookups: PurchaseLookupsService,
    private readonly catalogs: CatalogService,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Carries a scenario out: on the subscription that the request names, else on a purchase of its own.
   * @throws ApiError 400 naming the field; 404 for an unknown app, product or subscription; 409 when the transfer
   *   behaviour keeps the purchase where it is; 422 for what is not of the Test Store, and for what cannot happen
   */
  async run(write: ProjectWrite, body: CreateTestPurchaseDto, requestId: string): Promise<TestPurchase> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    const { subscription_id: subscriptionId } = body;
    const work =
      subscriptionId === undefined
        ? this.buying(testSale(catalog, body, this.clock.nowMs()), catalog, requestId)
        : this.acting(await this.subscription(projectId, subscriptionId, body), body, catalog);
    return this.database.transaction(
      async (tx) => {
        const done = await work(tx);
        const target = done.purchaseId === null ? 'subscription' : 'purchase';
        const targetId = done.purchaseId ?? done.subscriptionId ?? '';
        const data = { scenario: done.scenario };
        await this.audit.record(tx, write, { action: 'simulated', target, targetId, data });
        return done;
      },
      { retryUniqueViolation: true },
    );
  }

  private async subscription(
    projectId: string,
    id: string,
    body: CreateTestPurchaseDto,
  ): Promise<SubscriptionRow> {
    requestedAct(body);
    const { owned } = await this.lookups.subscription(projectId, id);
    if (owned.subscription.store === 'test_store') return owned.row;
    throw new ApiError('impossible', 'The subscription is not of the Test Store.', {
      param: 'subscription_id',
    });
  }

  private buying(sale: TestSale, catalog: Catalog, requestId: string) {
    const { scenario, appId, appUserId, transferTo, startMs, terms } = sale;
    const { projectId } = catalog;
    const token = `test_${String(startMs).padStart(10, '0')}_${randomUUID()}`;
    // Whoever restores it is locked along, in the order in which everybody locks.
    const appUserIds = transferTo === null ? [appUserId] : [appUserId, transferTo];
    return async (tx: Transaction): Promise<TestPurchase> => {
      const nowMs = this.clock.nowMs();
      const newcomer = { appUserId, device: null };
      const { customer } = await this.customers.lockOrCreate(tx, projectId, newcomer, { appUserIds }, nowMs);
      if (customer.testClockId !== null) {
        throw new ApiError(
          'impossible',
          'The customer lives by a test clock: post a receipt and advance the clock.',
          {
            param: 'app_user_id',
          },
        );
      }
      if (transferTo !== null && hasAppUserId(customer, transferTo)) {
        throw ApiError.parameter('transfer_to', 'transfer_to is the customer who buys.');
      }
      const owned = { ...place, appId, appUserId, purchases: [] };
      const { events } = await this.recorder.record(tx, { catalog, nowMs }, (change) => {
        if (terms.product.type === 'subscription') {
          this.live(change, owned, customer, token, lifeOf(sale, token, nowMs));
        } else {
          this.sellOnce(change, owned, customer, token, sale);
        }
      });
      const subscriptionId = customer.subscriptions.find(({ storeKey }) => storeKey === token)?.id ?? null;
      const purchaseId = customer.purchases.find(({ purchaseKey }) => purchaseKey === token)?.id ?? null;
      const done = { scenario, storeTransactionId: token, appUserId, subscriptionId, purchaseId, events };
      if (transferTo === null) return done;
      const claim = { ...owned, projectId, appUserId: transferTo, device: null, isRestore: true, requestId };
      const purchases = [{ key: token }];
      const claimed = await this.claims.claim(tx, { ...claim, purchases }, catalog);
      if (claimed.kind === 'refused') {
        throw ApiError.alreadyExists('transfer_to', 'The transfer behaviour keeps the purchase where it is.');
      }
      const taken = await this.recorder.record(tx, { catalog, nowMs: claimed.nowMs }, (change) =>
        this.claims.take(tx, change, claimed),
      );
      return { ...done, events: [...events, ...taken.events] };
    };
  }

  private acting(row: SubscriptionRow, body: CreateTestPurchaseDto, catalog: Catalog) {
    const { projectId } = catalog;
    const { id, storeKey: key } = row;
    return async (tx: Transaction): Promise<TestPurchase> => {
      const nowMs = this.clock.nowMs();
      const purchaseKeys = { ...place, keys: [key] };
      const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
      const locked = customer?.subscriptions.find((subscription) => subscription.id === id);
      const { app_user_id: named } = body;
      if (!customer || !locked) throw ApiError.missing('subscription', id, 'subscription_id');
      if (named !== undefined && !hasAppUserId(customer, named)) {
        throw ApiError.parameter('app_user_id', 'The subscription belongs to another customer.');
      }
      const appUserId = named ?? customer.originalAppUserId;
      const owned = { ...place, appId: locked.appId as string, appUserId, purchases: [] };
      const time = { nowMs: timeOf(customer, nowMs), isTestClock: customer.testClockId !== null };
      const steps = stepsOf(catalog, body, subscriptionOf(locked), time);
      const { events } = await this.recorder.record(tx, { catalog, nowMs }, (change) =>
        this.live(change, owned, customer, key, steps),
      );
      const after = subscriptionOf(
        customer.subscriptions.find((subscription) => subscription.id === id) ?? locked,
      );
      const storeTransactionId = viewSubscription(after.facts).latest.storeTransactionId;
      const scenario = requestedAct(body);
      return { scenario, storeTransactionId, appUserId, subscriptionId: id, purchaseId: null, events };
    };
  }

  /** Each step at its own time; at the end the subscription is as it is by then. */
  private live(
    change: ChangeBuilder,
    owned: OwnedPurchases,
    customer: CustomerRow,
    key: string,
    steps: TimelineStep[],
  ): void {
    for (const { atMs, observation } of steps) {
      if (observation) {
        const purchases = [{ kind: 'subscription', key, firstPostStands: false, observation } as const];
        applyOwned(change, { ...owned, purchases }, customer, atMs);
        continue;
      }
      const row = customer.subscriptions.find(
        ({ store, storeKey }) => store === place.store && storeKey === key,
      );
      const { appId, appUserId: seenAs } = owned;
      if (row)
        change.addSubscription(applySubscription(subscriptionOf(row), null, atMs), {
          customer,
          appId,
          seenAs,
        });
    }
  }

  private sellOnce(
    change: ChangeBuilder,
    owned: OwnedPurchases,
    customer: CustomerRow,
    token: string,
    { product, terms, country, presentedOfferingId, startMs, scenario }: TestSale,
  ): void {
    const sale = {
      token,
      storeProductId: product.storeIdentifier,
      price: terms.price,
      country,
      presentedOfferingId,
    };
    const sold = { kind: 'one_time', key: token, firstPostStands: false, shouldConsume: false } as const;
    const observations = [soldOnce(sale, startMs)];
    if (scenario === 'refund') {
      observations.push(saleRefunded(1, Math.max(startMs + 1, this.clock.nowMs())));
    }
    for (const observation of observations) {
      const purchases = [{ ...sold, observation }];
      applyOwned(change, { ...owned, purchases }, customer, observation.atMs);
    }
  }
}
