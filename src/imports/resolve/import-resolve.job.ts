import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { AskedAppsService } from './asked-apps.service.js';
import { KeyFinderService } from './key-finder.service.js';
import { nextNightMs } from './nightly.policy.js';
import { UnkeyedSubscriptionsRepository } from './unkeyed-subscriptions.repository.js';

/** Google's limit for orders in one call. */
const BATCH = 1_000;
const EVERY_MS = 3_600_000;
/** While an import is running, more keys are needed after each pass. */
const SOON_MS = 60_000;
const LIVELY_MS = 15 * 60_000;

/**
 * Finds the keys of an app's imported subscriptions, newest first: right after an import, when credentials become
 * valid, and once a night for those still missing. Each key is recorded at once, so that another process continues
 * where one died.
 */
@Injectable()
export class ImportResolveJob implements OnModuleInit {
  readonly kind = 'import_resolve';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly asked: AskedAppsService,
    private readonly subscriptions: UnkeyedSubscriptionsRepository,
    private readonly finder: KeyFinderService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('import-resolve', EVERY_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['play_store', 'app_store', 'mac_app_store']);
  }

  async work(task: StoreTask, app: App): Promise<StoreTaskResult> {
    if (!(await this.subscriptions.isAnyLeft(task))) return this.later(task, null);
    const asked = this.asked.open(app);
    if (typeof asked === 'string') return this.nextNight(task, asked);
    let markAt = task.markAt;
    while (asked.pause === null) {
      const batch = await this.subscriptions.next(task, this.clock.nowMs(), BATCH);
      if (batch.length === 0) return this.later({ ...task, markAt }, null);
      markAt = new Date(this.clock.nowMs());
      const isProgress = await this.finder.find(asked, batch);
      if (!isProgress && asked.pause === null) return this.nextNight(task, asked.ordersRefused);
    }
    const { failure, waitMs } = asked.pause;
    if (failure?.failure === 'credentials') return this.nextNight(task, failure.message);
    const againAtMs = this.clock.nowMs() + waitMs;
    return { againAtMs, error: failure?.message ?? null, ...(markAt && { markAt }) };
  }

  /** `markAt`: when there last was a key to look up. */
  private later(task: StoreTask, error: string | null): StoreTaskResult {
    const nowMs = this.clock.nowMs();
    const isLively = task.markAt !== null && nowMs - task.markAt.getTime() < LIVELY_MS;
    if (!isLively || task.markAt === null) return this.nextNight(task, error);
    return { againAtMs: nowMs + SOON_MS, error, markAt: task.markAt };
  }

  private nextNight({ appId }: StoreTask, error: string | null): StoreTaskResult {
    return { againAtMs: nextNightMs(appId, this.clock.nowMs()), error };
  }
}
