import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { NewStoreTask } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import type { PurchaseDetail } from './import-purchase.job.js';
import type { ItemQuestion } from './item-questions.policy.js';

/** Lets the import call that contained an identifier record its customer first. */
const DELAY_MS = 10_000;

/** Schedules background work for what stores could not answer in time. */
@Injectable()
export class BackgroundQuestionsService {
  constructor(
    private readonly tasks: StoreTasksService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  /**
   * Starts finding the keys of the apps' subscriptions. If the request cannot be saved, the nightly pass finds them.
   */
  resolve(projectId: string, appIds: string[]): Promise<void> {
    return this.tasks
      .request(projectId, 'import_resolve', appIds)
      .catch((error: unknown) =>
        this.log.warn({ err: error, projectId }, 'keys of imported purchases wait for the night'),
      );
  }

  /** Looks up purchases of which only an id is known. The tasks survive a restart of this process. */
  async lookUp(projectId: string, unanswered: readonly ItemQuestion[], emits: boolean): Promise<void> {
    const dueAt = new Date(this.clock.nowMs() + DELAY_MS);
    const tasks = unanswered.flatMap(({ question, appUserId, isRaw }): NewStoreTask[] => {
      if (!isRaw) return [];
      const storeUserId = question.kind === 'purchase' ? question.storeUserId : null;
      const isOrder = question.kind === 'order';
      const detail: PurchaseDetail = { appUserId, emits, storeUserId, isOrder };
      return [
        { kind: 'import_purchase', appId: question.appId, key: question.id, detail, markAt: null, dueAt },
      ];
    });
    if (tasks.length === 0) return;
    await this.database.transaction(async (tx) => {
      await this.tasks.addForLater(tx, projectId, ...tasks);
    });
  }
}
