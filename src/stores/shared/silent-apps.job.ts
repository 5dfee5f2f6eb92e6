import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { SilentAppsRepository } from './silent-apps.repository.js';
import { StoreConnectionsService } from './store-connections.service.js';

const HOUR_MS = 3_600_000;
const SCHEDULE_MS = HOUR_MS / 6;
/** A store with subscribers sends at least one notification within this time. */
const SILENCE_MS = 7 * 24 * HOUR_MS;
const EVERY_MS = 12 * HOUR_MS;
const WEEK_MS = SILENCE_MS;
/** Customers can get a refund for this long. */
const REFUNDABLE_MS = 90 * 24 * HOUR_MS;
const NEVER = new Date(Date.UTC(9999, 0));

/**
 * For apps without a notification for seven days, asks stores about active subscriptions, each every twelve hours: the
 * notification address may be missing or wrong, and a cancellation or refund would go unnoticed until the period ends.
 * Expired subscriptions and one-time purchases may have been refunded, so they are checked weekly if the store has no
 * list of refunds.
 */
@Injectable()
export class SilentAppsJob implements OnModuleInit {
  readonly kind = 'poll_silent_app';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly repository: SilentAppsRepository,
    private readonly connections: StoreConnectionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('silent-apps', SCHEDULE_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, this.connections.types);
  }

  async work({ projectId, appId }: StoreTask, app: App): Promise<StoreTaskResult> {
    const nowMs = this.clock.nowMs();
    // Each environment has its own address.
    const times: number[] = [];
    const since = new Date(nowMs - SILENCE_MS);
    for (const environment of ['production', 'sandbox'] as const) {
      const place = { projectId, appId, environment };
      const heardAt = (await this.repository.lastHeard(place, since)) ?? app.createdAt;
      const silentAtMs = heardAt.getTime() + SILENCE_MS;
      times.push(silentAtMs > nowMs ? silentAtMs : nowMs + EVERY_MS);
      if (silentAtMs <= nowMs) await this.poll(app, environment, nowMs);
    }
    return { againAtMs: Math.min(...times), error: null };
  }

  private async poll(app: App, environment: Environment, nowMs: number): Promise<void> {
    // Refused credentials are retried elsewhere, one call at a time.
    if (!credentialsConfigured(app) || app.credentialsRefused === true) return;
    const place = { projectId: app.projectId, appId: app.id, environment };
    const now = new Date(nowMs);
    const halfDaily = { now, from: now, to: NEVER, spreadMs: EVERY_MS, staleMs: EVERY_MS / 2 };
    await this.repository.scheduleSubscriptions(place, halfDaily);
    const refunds = this.connections.forType(app.type)?.reportsRefundsOnRequest;
    if (refunds === undefined) return;
    const from = new Date(nowMs - REFUNDABLE_MS);
    const weekly = { now, from, to: now, spreadMs: EVERY_MS, staleMs: WEEK_MS };
    await this.repository.scheduleSubscriptions(place, weekly);
    await this.repository.scheduleOneTime(place, weekly, refunds);
  }
}
