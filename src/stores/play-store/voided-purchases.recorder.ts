import { Inject, Injectable } from '@nestjs/common';
import { noOneTimeFacts, noSubscriptionFacts, type OneTimeFacts } from '../../../libs/engine/index.js';
import { type Clock, isStoreTime } from '../../../libs/kernel/index.js';
import { tokenOfKey, type VerifiedPurchase, type VoidedPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { RefundOutcomesService } from '../refund-requests/refund-outcomes.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';
import { voidedOutcomes } from './refund-reviews.service.js';

/** Records refunds of purchases that Google lists as voided, and the outcomes of refund requests about them. */
@Injectable()
export class VoidedPurchasesRecorder {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly reported: ReportedPurchasesService,
    private readonly refreshes: StoreRefreshesService,
    private readonly outcomes: RefundOutcomesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Skips purchases that no app has posted, because their owner is unknown. Schedules a refresh for those partly
   * refunded since `newSinceMs`.
   */
  async record(app: App, voided: VoidedPurchase[], newSinceMs: number): Promise<void> {
    const { projectId, id: appId } = app;
    const nowMs = this.clock.nowMs();
    const whole = voided.filter(({ voidedQuantity }) => voidedQuantity === undefined);
    const tokens = whole.flatMap(({ purchaseToken }) => purchaseToken ?? []);
    const storeKey = await this.lookups.storeKeys(projectId, 'play_store', tokens);
    const orders = whole.flatMap(({ orderId }) => orderId ?? []);
    const sold = await this.lookups.keysOfOrders(projectId, 'play_store', orders);
    const purchases = whole.flatMap((one) => {
      const [subscription, product] = voidedFacts(one, nowMs);
      if (!subscription || !product) return [];
      const token = subscription.key;
      const others = sold.filter(
        ({ orderId, key }) => orderId === one.orderId && key !== token && tokenOfKey(key) === token,
      );
      return [
        { ...subscription, key: storeKey(token) },
        product,
        ...others.map(({ key }) => ({ ...product, key })),
      ];
    });
    for (const environment of ['production', 'sandbox'] as const) {
      await this.reported.record({ projectId, appId, store: 'play_store', environment, purchases });
    }
    // Only the purchase itself shows the remaining quantity.
    const partly = voided.filter(
      (one) => one.voidedQuantity !== undefined && voidedAt(one, nowMs) > newSinceMs,
    );
    const partlyVoided = [...new Set(partly.flatMap(({ purchaseToken }) => purchaseToken ?? []))];
    for (const environment of ['production', 'sandbox'] as const) {
      if (partlyVoided.length === 0) continue;
      await this.refreshes.request({ projectId, appId, environment }, partlyVoided);
    }
    await this.outcomes.recordAll(app, voidedOutcomes(voided));
  }
}

/** 0 if there is no time; a future time becomes now. */
export function voidedAt({ voidedTimeMillis }: VoidedPurchase, nowMs: number): number {
  const atMs = Number(voidedTimeMillis);
  return isStoreTime(atMs) ? Math.min(atMs, nowMs) : 0;
}

/** The list does not show the kind of product, so these facts fit both. */
function voidedFacts(voided: VoidedPurchase, nowMs: number): [] | [VerifiedPurchase, VerifiedPurchase] {
  const { purchaseToken: key, orderId } = voided;
  const atMs = voidedAt(voided, nowMs);
  if (key === undefined || orderId === undefined || atMs === 0) return [];
  const base = { key, firstPostStands: false, onlyIfKnown: true };
  const value = { revokedAtMs: atMs, kind: 'full' as const, amountMicros: null };
  const refunds = { [orderId]: { at: atMs, src: 'api' as const, value } };
  const refundOf = (known: OneTimeFacts): OneTimeFacts => {
    const quantity = known.purchase?.value.quantity ?? 1;
    return { ...noOneTimeFacts, refund: { at: atMs, src: 'api', value: { refundedAtMs: atMs, quantity } } };
  };
  return [
    { ...base, kind: 'subscription', observation: { atMs, facts: { ...noSubscriptionFacts, refunds } } },
    {
      ...base,
      kind: 'one_time',
      observation: { atMs, facts: noOneTimeFacts },
      settle: (_, known) => refundOf(known),
      shouldConsume: false,
    },
  ];
}
