import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Verified } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import type { AskedApp, StoreAnswer } from './asked-app.js';
import { AskedAppsService } from './asked-apps.service.js';
import { nextNightMs } from './nightly.policy.js';
import { UnknownOrdersRepository } from './unknown-orders.repository.js';

/** After this many failures the identifier is dropped. It can be imported again. */
const MAX_ATTEMPTS = 10;

export interface PurchaseDetail {
  appUserId: string;
  storeUserId: string | null;
  /** The key is an order id. */
  isOrder: boolean;
  /** Emit events for the state of a new purchase. Otherwise it is recorded without events. */
  emits: boolean;
}

/** Looks up a purchase of which an import contained only an id, if the import call had no time for it. */
@Injectable()
export class ImportPurchaseJob implements OnModuleInit {
  readonly kind = 'import_purchase';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly asked: AskedAppsService,
    private readonly customers: CustomersQueryService,
    private readonly reported: ReportedPurchasesService,
    private readonly orders: UnknownOrdersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  async work({ appId, key, detail, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const wanted = detail as PurchaseDetail;
    const nowMs = this.clock.nowMs();
    const asked = this.asked.open(app);
    if (typeof asked === 'string') return { againAtMs: nextNightMs(appId, nowMs), error: asked };
    const answer = await this.ask(asked, key, wanted);
    if (answer.kind === 'found') await this.record(asked, wanted, answer.verified);
    if (answer.kind !== 'not_asked' || attempts >= MAX_ATTEMPTS) return 'done';
    const { pause, ordersRefused } = asked;
    if (pause === null) return { againAtMs: nextNightMs(appId, nowMs), error: ordersRefused };
    const isRefused = pause.failure?.failure === 'credentials';
    const againAtMs = isRefused ? nextNightMs(appId, nowMs) : nowMs + pause.waitMs;
    return { againAtMs, error: pause.failure?.message ?? null };
  }

  private async ask(
    asked: AskedApp,
    id: string,
    { isOrder, storeUserId }: PurchaseDetail,
  ): Promise<StoreAnswer> {
    if (!isOrder) return asked.lookUp({ id, storeUserId });
    const { keys, unknown } = await asked.keysOfOrders([id]);
    const token = keys.get(id);
    if (token !== undefined) return asked.lookUp({ id: token });
    if (unknown.length > 0) {
      const order = { appId: asked.app.id, id };
      await this.orders.remember(asked.app.projectId, [order], this.clock.nowMs());
    }
    return asked.pause !== null || asked.ordersRefused !== null
      ? { kind: 'not_asked' }
      : { kind: 'unknown', message: 'the store knows no such order' };
  }

  /** Skips customers erased in the meantime, so that they are not created again. */
  private async record(
    { app, store }: AskedApp,
    { appUserId, emits }: PurchaseDetail,
    { environment, purchases }: Verified,
  ): Promise<void> {
    const { projectId, id: appId } = app;
    if ((await this.customers.findMany(projectId, [appUserId])).length === 0) return;
    const imported = { asOfMs: this.clock.nowMs(), emits };
    const report = { projectId, appId, store, environment, purchases, imported };
    await this.reported.record(report, { kind: 'person', appUserId });
  }
}
