import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { noChainFacts, noOneTimeFacts, type OneTimeFacts } from '../../../libs/engine/index.js';
import { type Clock, isStoreTime } from '../../../libs/kernel/index.js';
import { PlayCallFailed, type VerifiedPurchase, type VoidedPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database } from '../../platform/database/database.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { nobody, ToldPurchasesService } from '../../purchases/recording/told-purchases.service.js';
import type { Chore, ChoreResult } from '../../purchases/store-tasks/store-chore.js';
import { StoreChores } from '../../purchases/store-tasks/store-chores.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { StoreRefreshes } from '../shared/store-refreshes.js';
import { Play } from './play.js';
import { refusalOf } from './play-errors.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** Google lists what it recorded late among what was before. */
const OVERLAP_MS = 2 * DAY_MS;
/** Google refuses to tell of more. */
const HORIZON_MS = 30 * DAY_MS - MINUTE_MS;
const MAX_PAGES = 1_000;
/** Purchases in one transaction: their owners are locked meanwhile. */
const AT_ONCE = 50;

/** Asks Google every ten minutes what was given back, charged back or taken away, for each app. */
@Injectable()
export class VoidedPurchases implements OnModuleInit {
  readonly kind = 'scan_voided_purchases';

  constructor(
    private readonly chores: StoreChores,
    private readonly play: Play,
    private readonly told: ToldPurchasesService,
    private readonly lookups: PurchaseLookupsService,
    private readonly refreshes: StoreRefreshes,
    private readonly health: CredentialHealth,
    private readonly apps: AppsService,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.chores.handle(this);
  }

  /** New apps are scanned, too. */
  @Interval('play-voided-purchases', EVERY_MS)
  schedule(): Promise<void> {
    return this.chores.schedule(this.kind, ['play_store']);
  }

  async work({ projectId, appId, markAt, attempts }: Chore): Promise<ChoreResult> {
    const startedAtMs = this.clock.nowMs();
    const app = await this.apps.findIn(this.database, projectId, appId);
    if (!app) return 'done';
    const againAtMs = startedAtMs + EVERY_MS;
    // Nothing can have been recorded without credentials.
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
        await this.record(app, purchases.slice(from, from + AT_ONCE), scannedUntilMs ?? 0);
      }
      if (next === null) return;
      page = next;
    }
  }

  /** What nobody posted is left out: it is not known whose it was. */
  private async record(
    { projectId, id: appId }: App,
    voided: VoidedPurchase[],
    newSinceMs: number,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const whole = voided.filter(({ voidedQuantity }) => voidedQuantity === undefined);
    const tokens = whole.flatMap(({ purchaseToken }) => purchaseToken ?? []);
    const chainKey = await this.lookups.chainKeys(projectId, 'play_store', tokens);
    const purchases = whole
      .flatMap((one) => voidedFacts(one, nowMs))
      .map((one) => ({ ...one, key: chainKey(one.key) }));
    for (const environment of ['production', 'sandbox'] as const) {
      await this.told.record({ projectId, appId, store: 'play_store', environment, purchases }, nobody);
    }
    // How many pieces are left, all in all, only the purchase tells.
    const partly = voided.filter(
      (one) => one.voidedQuantity !== undefined && timeOf(one, nowMs) > newSinceMs - EVERY_MS,
    );
    const partlyVoided = [...new Set(partly.flatMap(({ purchaseToken }) => purchaseToken ?? []))];
    for (const environment of ['production', 'sandbox'] as const) {
      if (partlyVoided.length === 0) continue;
      await this.refreshes.request({ projectId, appId, environment }, partlyVoided);
    }
  }
}

/** 0 for none; what Google dates in the future was given back by now. */
function timeOf({ voidedTimeMillis }: VoidedPurchase, nowMs: number): number {
  const atMs = Number(voidedTimeMillis);
  return isStoreTime(atMs) ? Math.min(atMs, nowMs) : 0;
}

/** The list does not say what was sold: the facts fit either. */
function voidedFacts(voided: VoidedPurchase, nowMs: number): VerifiedPurchase[] {
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
    { ...base, kind: 'chain', observation: { atMs, facts: { ...noChainFacts, refunds } } },
    {
      ...base,
      kind: 'one_time',
      observation: { atMs, facts: noOneTimeFacts },
      settle: (_, known) => refundOf(known),
      shouldConsume: false,
    },
  ];
}
