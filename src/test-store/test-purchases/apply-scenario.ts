import { applySubscription, type Environment, type Store } from '../../../libs/engine/index.js';
import { type TimelineStep, saleRefunded, soldOnce } from '../../../libs/stores/index.js';
import { subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { applyOwned } from '../../purchases/recording/apply-purchases.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import type { OwnedPurchases } from '../../purchases/recording/posted-purchases.js';
import type { TestSale } from './test-sale.js';

export const scenarioPlace: { store: Store; environment: Environment } = {
  store: 'test_store',
  environment: 'sandbox',
};

/** Applies each step at its own time, and then updates the subscription to the current time. */
export function applySteps(
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
      ({ store, storeKey }) => store === scenarioPlace.store && storeKey === key,
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

export function applySale(
  change: ChangeBuilder,
  owned: OwnedPurchases,
  customer: CustomerRow,
  token: string,
  { product, terms, country, presentedOfferingId, startMs, scenario }: TestSale,
  nowMs: number,
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
    observations.push(saleRefunded(1, Math.max(startMs + 1, nowMs)));
  }
  for (const observation of observations) {
    const purchases = [{ ...sold, observation }];
    applyOwned(change, { ...owned, purchases }, customer, observation.atMs);
  }
}
