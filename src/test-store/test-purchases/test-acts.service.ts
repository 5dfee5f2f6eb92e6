import { Inject, Injectable } from '@nestjs/common';
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
import { applySteps, scenarioPlace } from './apply-scenario.js';
import { requestedAct, stepsOf } from './test-act.js';
import type { ScenarioWork } from './test-purchase.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';

@Injectable()
export class TestActsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly lookups: PurchaseLookupsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 naming the field; 404; 422 for a subscription of another store */
  async work(catalog: Catalog, body: CreateTestPurchaseDto, subscriptionId: string): Promise<ScenarioWork> {
    const { projectId } = catalog;
    const { id, storeKey: key } = await this.subscription(projectId, subscriptionId, body);
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

  private async subscription(
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
