import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { REFRESH_SLICES, StoreRefreshesService } from '../shared/store-refreshes.service.js';

const HOUR_MS = 3_600_000;
/** One refresh every two seconds is half of the background limit, so that new events never wait long. */
const EVERY_MS = 2_000;
const MOST = HOUR_MS / EVERY_MS;
/** Skip subscriptions refreshed within this time. */
const FRESH_MS = HOUR_MS;

/**
 * Refreshes every open subscription from Paddle once a day, in hourly slices. This repairs changes whose webhook was
 * lost and that Paddle's event list does not show either, within a day.
 */
@Injectable()
export class OpenSubscriptionsJob implements OnModuleInit {
  readonly kind = 'walk_open_subscriptions';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly refreshes: StoreRefreshesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('paddle-open-subscriptions', HOUR_MS / 6)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['paddle']);
  }

  async work({ projectId, appId, markAt }: StoreTask, app: App): Promise<StoreTaskResult> {
    const nowMs = this.clock.nowMs();
    const again = { againAtMs: (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS, error: null };
    // Refused credentials are retried elsewhere, one call at a time. The mark stays, so skipped slices follow later.
    if (!credentialsConfigured(app) || app.credentialsRefused === true) return again;
    const open = {
      projectId,
      appId,
      slices: slicesBetween(markAt?.getTime() ?? nowMs - HOUR_MS, nowMs),
      now: new Date(nowMs),
      everyMs: EVERY_MS,
      most: MOST,
      factsBeforeMs: nowMs - FRESH_MS,
      seed: String(Math.floor(nowMs / HOUR_MS)),
    };
    for (const environment of ['production', 'sandbox'] as const) {
      await this.refreshes.requestOpen({ ...open, environment });
    }
    return { ...again, markAt: open.now };
  }
}

/** The slices of the hours that started between two times; all of them after a day. */
function slicesBetween(fromMs: number, toMs: number): number[] {
  const last = Math.floor(toMs / HOUR_MS);
  const count = Math.min(REFRESH_SLICES, last - Math.floor(fromMs / HOUR_MS));
  return Array.from({ length: count }, (_, index) => (last - index) % REFRESH_SLICES);
}
