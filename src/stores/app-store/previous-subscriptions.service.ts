import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ReportedPurchasesService } from '../../purchases/recording/reported-purchases.service.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { StoreConnectionsService } from '../shared/store-connections.service.js';

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Reads the subscription that a customer left for a bundle, or for the product alone, if it is unknown here. Other
 * purchases in Apple's answer stay as they are.
 */
@Injectable()
export class PreviousSubscriptionsService implements OnModuleInit {
  readonly kind = 'read_previous_subscription';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly connections: StoreConnectionsService,
    private readonly reported: ReportedPurchasesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  async work({ projectId, appId, key, detail, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const { environment } = detail as { environment: Environment };
    const adapter = this.connections.adapterFor(app);
    const found = await adapter?.lookUp?.({ id: key });
    if (!adapter || !found) return 'done';
    if (found.failure === 'temporary') {
      const pauseMs = Math.max(
        found.retryAfterMs ?? 0,
        Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS),
      );
      return { againAtMs: this.clock.nowMs() + pauseMs, error: found.message };
    }
    if (found.failure !== null || found.environment !== environment) return 'done';
    const purchases = found.purchases.filter((purchase) => purchase.key === key);
    const { store } = adapter;
    await this.reported.record(
      { projectId, appId, store, environment, purchases },
      { kind: 'owner_of', key },
    );
    return 'done';
  }
}
