import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { RecordedRentals } from '../../catalog/shared/recorded-rentals.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';

/** Spreads the calls of a batch, because receipts also need Google's quota. */
const SPREAD_MS = 3_600_000;

/** When a product gets a duration, reads its recorded purchases from Google again. */
@Injectable()
export class RecordedRentalsJob extends RecordedRentals implements OnModuleInit {
  readonly kind = 'read_recorded_rentals';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly lookups: PurchaseLookupsService,
    private readonly refreshes: StoreRefreshesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  readAgain(tx: Transaction, projectId: string, appId: string, storeIdentifier: string): Promise<void> {
    const dueAt = new Date(this.clock.nowMs());
    const task = { appId, kind: this.kind, key: storeIdentifier, detail: {}, markAt: null, dueAt } as const;
    return this.tasks.addIn(tx, projectId, [task]);
  }

  async work({ projectId, key: storeIdentifier }: StoreTask, app: App): Promise<StoreTaskResult> {
    const { id: appId } = app;
    for await (const batch of this.lookups.ownedOfProduct({ projectId, appId }, storeIdentifier)) {
      const nowMs = this.clock.nowMs();
      const wanted = batch.map(({ environment, key }, index) => {
        const dueAtMs = nowMs + Math.floor((SPREAD_MS * index) / batch.length);
        return { appId, environment, key, dueAtMs };
      });
      await this.database.transaction((tx) => this.refreshes.requestIn(tx, projectId, wanted));
    }
    return 'done';
  }
}
