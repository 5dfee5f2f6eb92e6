import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { type Acknowledgement, PlayCallFailed } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import type { ProductType } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Log } from '../../platform/observability/log.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasks } from '../../purchases/store-tasks/store-tasks.js';
import { AcknowledgementsService } from './acknowledgements.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PAUSES_MS = [1, 5, 30].map((minutes) => minutes * MINUTE_MS);
const ALARM_AFTER_MS = 24 * HOUR_MS;
/** Google takes a purchase back after three days. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** The mark of a task that is done. Its row stays for a while: a read from before must not have it done again. */
const DONE_MARK = new Date(0);
const DONE_FOR_MS = 10 * MINUTE_MS;

/** What is to be told Google of a purchase, as its task keeps it. */
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
    private readonly tasks: StoreTasks,
    private readonly acknowledgements: AcknowledgementsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  async work(task: StoreTask, app: App): Promise<StoreTaskResult> {
    const { projectId, appId, key: token } = task;
    if (task.markAt?.getTime() === DONE_MARK.getTime()) return 'done';
    const { decideByMs = 0, ...owed } = task.detail as Owed;
    const acknowledgement = { ...owed, token };
    const type = await this.productType(projectId, appId, owed);
    const nowMs = this.clock.nowMs();
    if (type === null && nowMs < decideByMs) return this.undecided(task, nowMs, decideByMs);
    try {
      await this.acknowledgements.send(app, acknowledgement, type === 'consumable');
      return { againAtMs: nowMs + DONE_FOR_MS, error: null, markAt: DONE_MARK };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      return this.later(task, error);
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
}
