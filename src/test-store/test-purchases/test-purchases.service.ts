import { Injectable, Inject } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { TestPurchase, ScenarioWork } from './test-purchase.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';
import { viewSubscription } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { type SubscriptionRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { applySteps, scenarioPlace, applySale } from './apply-scenario.js';
import { requestedAct, stepsOf } from './test-act.js';
import { randomUUID } from 'node:crypto';
import { PurchaseClaims } from '../../purchases/ownership/purchase-claims.service.js';
import { PurchaseMovesService } from '../../purchases/recording/purchase-moves.service.js';
import { lifeOf, testSale } from './test-sale.js';

/** Records scenarios of Test Store purchases, each step at its own time. */
@Injectable()
export class TestPurchasesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly claims: PurchaseClaims,
    private readonly moves: PurchaseMovesService,
    private readonly recorder: PurchaseRecorder,
    private readonly lookups: PurchaseLookupsService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Runs a scenario on the given subscription, or else on a new purchase.
   * @throws ApiError 400 naming the field; 404 for an unknown app, product or subscription; 409 if the transfer
   * behavior leaves the purchase with its owner; 422 for another store, or an impossible scenario
   */
  async run(write: ProjectWrite, body: CreateTestPurchaseDto, requestId: string): Promise<TestPurchase> {
    const catalog = await this.catalogs.getCurrent(write.projectId);
    const { subscription_id: subscriptionId } = body;
    const work =
      subscriptionId === undefined
        ? this.scenarioOnNewPurchase(catalog, body, requestId)
        : await this.scenarioOnSubscription(catalog, body, subscriptionId);
    return this.writes.run(
      write,
      async (tx) => {
        const done = await work(tx);
        const target = done.purchaseId === null ? 'subscription' : 'purchase';
        const targetId = done.purchaseId ?? done.subscriptionId ?? '';
        const data = { scenario: done.scenario };
        await tx.audit({ action: 'simulated', target, targetId, data });
        return done;
      },
      { retryUniqueViolation: true },
    );
  }

  /** @throws ApiError 400 naming the field, 404, 422 */
  private scenarioOnNewPurchase(
    catalog: Catalog,
    body: CreateTestPurchaseDto,
    requestId: string,
  ): ScenarioWork {
    const sale = testSale(catalog, body, this.clock.nowMs());
    const { scenario, appId, appUserId, transferTo, startMs, terms } = sale;
    const { projectId } = catalog;
    const token = `test_${String(startMs).padStart(10, '0')}_${randomUUID()}`;
    // The restoring customer is locked too, so that all locks are acquired in one order.
    const appUserIds = transferTo === null ? [appUserId] : [appUserId, transferTo];
    return async (tx) => {
      const nowMs = this.clock.nowMs();
      const newcomer = { appUserId, device: null };
      const { customer } = await this.customers.lockOrCreate(tx, projectId, newcomer, { appUserIds }, nowMs);
      if (customer.testClockId !== null) {
        const message =
          'The customer is attached to a test clock: post a receipt and advance the clock instead.';
        throw new ApiError('impossible', message, { param: 'app_user_id' });
      }
      if (transferTo !== null && hasAppUserId(customer, transferTo)) {
        throw ApiError.parameter('transfer_to', 'transfer_to must not be the buyer.');
      }
      const owned = { ...scenarioPlace, appId, appUserId, purchases: [] };
      const { events } = await this.recorder.record(tx, { catalog, nowMs }, (change) => {
        if (terms.product.type === 'subscription') {
          applySteps(change, owned, customer, token, lifeOf(sale, token, nowMs));
        } else {
          applySale(change, owned, customer, token, sale, nowMs);
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
        throw ApiError.alreadyExists(
          'transfer_to',
          'The transfer behavior keeps the purchase with its owner.',
        );
      }
      const taken = await this.recorder.record(tx, { catalog, nowMs: claimed.nowMs }, (change) =>
        this.moves.moveClaimed(tx, change, claimed),
      );
      return { ...done, events: [...events, ...taken.events] };
    };
  }

  /** @throws ApiError 400 naming the field; 404; 422 for a subscription of another store */
  private async scenarioOnSubscription(
    catalog: Catalog,
    body: CreateTestPurchaseDto,
    subscriptionId: string,
  ): Promise<ScenarioWork> {
    const { projectId } = catalog;
    const { id, storeKey: key } = await this.testStoreSubscription(projectId, subscriptionId, body);
    return async (tx) => {
      const nowMs = this.clock.nowMs();
      const purchaseKeys = { ...scenarioPlace, keys: [key] };
      const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
      const locked = customer?.subscriptions.find((subscription) => subscription.id === id);
      const { app_user_id: named } = body;
      if (!customer || !locked) throw ApiError.missing('subscription', id, 'subscription_id');
      if (named !== undefined && !hasAppUserId(customer, named)) {
        throw ApiError.parameter('app_user_id', 'The subscription belongs to another customer.');
      }
      const appUserId = named ?? customer.originalAppUserId;
      const owned = { ...scenarioPlace, appId: locked.appId as string, appUserId, purchases: [] };
      const time = { nowMs: timeOf(customer, nowMs), isTestClock: customer.testClockId !== null };
      const steps = stepsOf(catalog, body, subscriptionOf(locked), time);
      const { events } = await this.recorder.record(tx, { catalog, nowMs }, (change) =>
        applySteps(change, owned, customer, key, steps),
      );
      const after = subscriptionOf(
        customer.subscriptions.find((subscription) => subscription.id === id) ?? locked,
      );
      const storeTransactionId = viewSubscription(after.facts).latest.storeTransactionId;
      const scenario = requestedAct(body);
      return { scenario, storeTransactionId, appUserId, subscriptionId: id, purchaseId: null, events };
    };
  }

  private async testStoreSubscription(
    projectId: string,
    id: string,
    body: CreateTestPurchaseDto,
  ): Promise<SubscriptionRow> {
    requestedAct(body);
    const { owned } = await this.lookups.subscription(projectId, id);
    if (owned.subscription.store === 'test_store') return owned.row;
    throw new ApiError('impossible', 'The subscription is not in the Test Store.', {
      param: 'subscription_id',
    });
  }
}
