import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { type Acknowledgement, PlayCallFailed, type ProductPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { ProductType } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/observability/log.js';
import type { Chore, ChoreResult } from '../../purchases/store-tasks/store-chore.js';
import { StoreChores } from '../../purchases/store-tasks/store-chores.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { Play } from './play.js';
import { refusalOf } from './play-errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PAUSES_MS = [1, 5, 30].map((minutes) => minutes * MINUTE_MS);
const ALARM_AFTER_MS = 24 * HOUR_MS;
/** Google takes a purchase back after three days. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** The mark of a chore that is done. Its row stays for a while: a read from before must not have it done again. */
const DONE_MARK = new Date(0);
const DONE_FOR_MS = 10 * MINUTE_MS;

/** Consumed by the app, or given back. */
function isDoneWith({ productLineItem: items = [], purchaseStateContext }: ProductPurchase): boolean {
  return (
    purchaseStateContext?.purchaseState !== 'PURCHASED' ||
    items.every(({ productOfferDetails: offer }) => offer?.consumptionState === 'CONSUMPTION_STATE_CONSUMED')
  );
}

/** What is to be told Google of a purchase, as its chore keeps it. */
type Owed = Omit<Acknowledgement, 'token'> & { decideByMs?: number };

/**
 * Tells Google that purchases were recorded: it gives the money back otherwise. The phone was told not to consume a
 * product that the catalog lacked, so such a purchase waits for the catalog: a consumable is consumed here, or its
 * customer could not buy it again.
 */
@Injectable()
export class PurchaseAcknowledgements implements OnModuleInit {
  readonly kind = 'acknowledge_purchase';

  constructor(
    private readonly chores: StoreChores,
    private readonly play: Play,
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    private readonly health: CredentialHealth,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.chores.handle(this);
  }

  async work(chore: Chore): Promise<ChoreResult> {
    const { projectId, appId, key: token } = chore;
    if (chore.markAt?.getTime() === DONE_MARK.getTime()) return 'done';
    const app = await this.apps.findIn(this.database, projectId, appId);
    if (!app) return 'done';
    const { decideByMs = 0, ...owed } = chore.detail as Owed;
    const acknowledgement = { ...owed, token };
    const type = await this.productType(projectId, appId, owed);
    const nowMs = this.clock.nowMs();
    if (type === null && nowMs < decideByMs) return this.undecided(chore, nowMs, decideByMs);
    try {
      if (type === 'consumable') await this.consume(app, acknowledgement);
      else await this.acknowledge(app, acknowledgement);
      return { againAtMs: nowMs + DONE_FOR_MS, error: null, markAt: DONE_MARK };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(projectId, appId, refusal);
      return this.later(chore, error);
    }
  }

  /** Null: the catalog lacks the product. */
  private async productType(
    projectId: string,
    appId: string,
    { kind, productId }: Owed,
  ): Promise<ProductType | null> {
    if (kind === 'subscription') return kind;
    const catalog = await this.catalogs.get(projectId);
    return catalog.productOf(appId, productId)?.type ?? null;
  }

  /** Looks again after as long as it has waited, an hour at most. */
  private undecided({ markAt }: Chore, nowMs: number, decideByMs: number): ChoreResult {
    const waitedMs = nowMs - (markAt?.getTime() ?? nowMs);
    const pauseMs = Math.min(Math.max(waitedMs, MINUTE_MS), HOUR_MS);
    return { againAtMs: Math.min(nowMs + pauseMs, decideByMs), error: null };
  }

  /** What cannot be consumed is acknowledged at least: the customer keeps what they paid for. */
  private async consume(app: App, acknowledgement: Acknowledgement): Promise<void> {
    const api = this.play.api(app);
    try {
      await api.consume(acknowledgement);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unknown' || failure === 'gone') return;
      if (failure !== 'refused') throw error;
      if (isDoneWith(await api.product(acknowledgement.token))) return;
      await this.acknowledge(app, acknowledgement);
      throw error;
    }
  }

  /** What Google refuses may have been done already, by the SDK or before a crash. */
  private async acknowledge(app: App, acknowledgement: Acknowledgement): Promise<void> {
    const api = this.play.api(app);
    try {
      await api.acknowledge(acknowledgement);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unknown' || failure === 'gone') return;
      if (failure !== 'refused') throw error;
      const { kind, token } = acknowledgement;
      const { acknowledgementState } =
        kind === 'subscription' ? await api.subscription(token) : await api.product(token);
      if (acknowledgementState !== 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED') throw error;
    }
  }

  private later(
    { projectId, appId, attempts, markAt }: Chore,
    { message, retryAfterMs }: PlayCallFailed,
  ): ChoreResult {
    const nowMs = this.clock.nowMs();
    const ageMs = nowMs - (markAt?.getTime() ?? nowMs);
    if (ageMs > ALARM_AFTER_MS) {
      this.log.error(
        { projectId, appId, ageMs, message },
        'a purchase is not acknowledged: Google will take it back',
      );
    }
    if (ageMs > GIVE_UP_AFTER_MS) return 'done';
    const pauseMs = Math.max(PAUSES_MS[attempts] ?? HOUR_MS, retryAfterMs ?? 0);
    return { againAtMs: nowMs + Math.min(pauseMs, HOUR_MS), error: message };
  }
}
