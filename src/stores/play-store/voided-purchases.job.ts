import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Clock, isStoreTime } from '../../../libs/kernel/index.js';
import {
  PlayCallFailed,
  tokenOfKey,
  unknownInVoided,
  type VerifiedPurchase,
  type VoidedPurchase,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { RefundOutcomesService } from '../refund-requests/refund-outcomes.service.js';
import { voidedOutcomes } from './refund-reviews.service.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { PlayService } from './play.service.js';
import { refusalOf } from './play-errors.js';
import { noSubscriptionFacts, noOneTimeFacts, type OneTimeFacts } from '../../../libs/engine/index.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** Overlap with the previous poll: Google inserts late records at their original dates. */
const OVERLAP_MS = 2 * DAY_MS;
/** Google lists voided purchases for 30 days. */
const HORIZON_MS = 30 * DAY_MS - MINUTE_MS;
const MAX_PAGES = 1_000;
/** Purchases per transaction, which locks their owners. */
const AT_ONCE = 50;

/** Polls Google every ten minutes for refunds, chargebacks and revocations, for each app. */
@Injectable()
export class VoidedPurchasesJob implements OnModuleInit {
  readonly kind = 'scan_voided_purchases';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly play: PlayService,
    private readonly lookups: PurchaseLookupsService,
    private readonly reported: ReportedPurchasesService,
    private readonly refreshes: StoreRefreshesService,
    private readonly health: CredentialHealthService,
    private readonly unknownValues: UnknownValuesService,
    private readonly outcomes: RefundOutcomesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('play-voided-purchases', EVERY_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['play_store']);
  }

  async work({ projectId, appId, markAt, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const startedAtMs = this.clock.nowMs();
    const againAtMs = startedAtMs + EVERY_MS;
    // Without credentials, the app has no recorded purchases.
    if (app.sealedCredentials.play_service_account_credentials_json === undefined) {
      return { againAtMs, error: null };
    }
    try {
      await this.scan(app, markAt?.getTime() ?? null, startedAtMs);
      await this.health.worked(projectId, appId);
      return { againAtMs, error: null, markAt: new Date(startedAtMs) };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(projectId, appId, refusal);
      const waitMs = Math.max(EVERY_MS * Math.min(attempts + 1, 6), error.retryAfterMs ?? 0);
      return { againAtMs: startedAtMs + waitMs, error: error.message };
    }
  }

  private async scan(app: App, scannedUntilMs: number | null, nowMs: number): Promise<void> {
    const horizonMs = nowMs - HORIZON_MS;
    const sinceMs = Math.max(horizonMs, (scannedUntilMs ?? 0) - OVERLAP_MS);
    let page: string | null = null;
    for (let count = 0; count < MAX_PAGES; count++) {
      const { purchases, next } = await this.play.api(app).voided(sinceMs, page);
      for (let from = 0; from < purchases.length; from += AT_ONCE) {
        const batch = purchases.slice(from, from + AT_ONCE);
        const newSinceMs = (scannedUntilMs ?? 0) - EVERY_MS;
        await this.record(app, batch, newSinceMs);
        await this.outcomes.recordAll(app, voidedOutcomes(batch));
      }
      this.unknownValues.record(
        app,
        unknownInVoided(purchases.filter((one) => timeOf(one, nowMs) > (scannedUntilMs ?? 0))),
      );
      if (next === null) return;
      page = next;
    }
  }

  /**
   * Skips purchases that no app has posted, because their owner is unknown. Schedules a refresh for those partly
   * refunded since `newSinceMs`.
   */
  private async record(
    { projectId, id: appId }: App,
    voided: VoidedPurchase[],
    newSinceMs: number,
  ): Promise<void> {
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
      (one) => one.voidedQuantity !== undefined && timeOf(one, nowMs) > newSinceMs,
    );
    const partlyVoided = [...new Set(partly.flatMap(({ purchaseToken }) => purchaseToken ?? []))];
    for (const environment of ['production', 'sandbox'] as const) {
      if (partlyVoided.length === 0) continue;
      await this.refreshes.request({ projectId, appId, environment }, partlyVoided);
    }
  }
}

/** 0 if there is no time; a future time becomes now. */
function timeOf({ voidedTimeMillis }: VoidedPurchase, nowMs: number): number {
  const atMs = Number(voidedTimeMillis);
  return isStoreTime(atMs) ? Math.min(atMs, nowMs) : 0;
}

/** The list does not show the kind of product, so these facts fit both. */
function voidedFacts(voided: VoidedPurchase, nowMs: number): [] | [VerifiedPurchase, VerifiedPurchase] {
  const { purchaseToken: key, orderId } = voided;
  const atMs = timeOf(voided, nowMs);
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
