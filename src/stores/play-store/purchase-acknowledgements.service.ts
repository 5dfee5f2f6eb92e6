import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { type Acknowledgement, PlayCallFailed, type ProductPurchase } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import type { ProductType } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { PlayService } from './play.service.js';
import { refusalOf } from './play-errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PAUSES_MS = [1, 5, 30].map((minutes) => minutes * MINUTE_MS);
const ALARM_AFTER_MS = 24 * HOUR_MS;
/** Google refunds a purchase that is not acknowledged within three days. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** Marks a finished task. Its row stays for a while, so that a stale read does not run the task again. */
const DONE_MARK = new Date(0);
const DONE_FOR_MS = 10 * MINUTE_MS;

type TaskDetail = Omit<Acknowledgement, 'token'> & { decideByMs?: number };

/** The app consumed the product, or it was refunded. */
function isDoneWith({ productLineItem: items = [], purchaseStateContext }: ProductPurchase): boolean {
  return (
    purchaseStateContext?.purchaseState !== 'PURCHASED' ||
    items.every(({ productOfferDetails: offer }) => offer?.consumptionState === 'CONSUMPTION_STATE_CONSUMED')
  );
}

/**
 * Acknowledges recorded purchases at Google, which otherwise refunds them. The SDK must not consume a product that is
 * missing from the catalog, so such a purchase waits until the product is registered. A consumable is then consumed
 * here, because otherwise its customer could not buy it again.
 */
@Injectable()
export class PurchaseAcknowledgementsService implements OnModuleInit {
  readonly kind = 'acknowledge_purchase';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly play: PlayService,
    private readonly catalogs: CatalogService,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  async work(task: StoreTask, app: App): Promise<StoreTaskResult> {
    const { projectId, appId, key: token } = task;
    if (task.markAt?.getTime() === DONE_MARK.getTime()) return 'done';
    const { decideByMs = 0, ...detail } = task.detail as TaskDetail;
    const acknowledgement = { ...detail, token };
    const type = await this.productType(projectId, appId, detail);
    const nowMs = this.clock.nowMs();
    if (type === null && nowMs < decideByMs) return this.undecided(task, nowMs, decideByMs);
    try {
      await this.send(app, acknowledgement, type === 'consumable');
      return { againAtMs: nowMs + DONE_FOR_MS, error: null, markAt: DONE_MARK };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      return this.later(task, error);
    }
  }

  /** Null if the catalog lacks the product. */
  private async productType(
    projectId: string,
    appId: string,
    { kind, productId }: TaskDetail,
  ): Promise<ProductType | null> {
    if (kind === 'subscription') return kind;
    const catalog = await this.catalogs.get(projectId);
    return catalog.productOf(appId, productId)?.type ?? null;
  }

  /** Doubles the time waited so far, with pauses of at most an hour. */
  private undecided({ markAt }: StoreTask, nowMs: number, decideByMs: number): StoreTaskResult {
    const waitedMs = nowMs - (markAt?.getTime() ?? nowMs);
    const pauseMs = Math.min(Math.max(waitedMs, MINUTE_MS), HOUR_MS);
    return { againAtMs: Math.min(nowMs + pauseMs, decideByMs), error: null };
  }

  private later(
    { projectId, appId, attempts, markAt }: StoreTask,
    { message, retryAfterMs }: PlayCallFailed,
  ): StoreTaskResult {
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

  /** Safe to repeat. @throws PlayCallFailed if it must be retried */
  private async send(app: App, acknowledgement: Acknowledgement, shouldConsume: boolean): Promise<void> {
    try {
      if (shouldConsume) await this.consume(app, acknowledgement);
      else await this.acknowledge(app, acknowledgement);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(app.projectId, app.id, refusal);
      throw error;
    }
  }

  /** A purchase that cannot be consumed is at least acknowledged, so that Google does not refund it. */
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

  /** Google refuses an acknowledgement that already exists, made by the SDK or before a crash. */
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
}
