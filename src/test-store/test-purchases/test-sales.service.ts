import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseClaims } from '../../purchases/ownership/purchase-claims.service.js';
import { PurchaseMovesService } from '../../purchases/recording/purchase-moves.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { applySale, applySteps, scenarioPlace } from './apply-scenario.js';
import type { ScenarioWork } from './test-purchase.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';
import { lifeOf, testSale } from './test-sale.js';

@Injectable()
export class TestSalesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly claims: PurchaseClaims,
    private readonly moves: PurchaseMovesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 naming the field, 404, 422 */
  work(catalog: Catalog, body: CreateTestPurchaseDto, requestId: string): ScenarioWork {
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
}
