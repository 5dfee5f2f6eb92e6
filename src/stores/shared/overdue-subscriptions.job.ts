import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { credentialsConfigured } from '../../catalog/apps/credentials.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { StoreConnectionsService } from './store-connections.service.js';
import { StoreRefreshJob } from './store-refresh.job.js';
import { type PollingStep, StoreRefreshesRepository } from './store-refreshes.repository.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 2 * MINUTE_MS;
const SCHEDULE_MS = 10 * MINUTE_MS;

/** Stores retry a charge for at most sixty days; a Google Play subscription may pause for three months. */
const DAYS = 100;
const steps: readonly PollingStep[] = [
  { afterMs: MINUTE_MS, ofAll: true },
  ...[10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS].map((afterMs) => ({ afterMs, ofAll: false })),
  ...Array.from({ length: DAYS }, (_, day) => ({ afterMs: (day + 1) * DAY_MS, ofAll: day === 0 })),
];

/**
 * Asks stores about subscriptions that should have ended or renewed but had no update: after a minute, ten minutes, an
 * hour, six hours, then daily. Each poll resumes where the last one ended, so after an outage it finds everything that
 * became due in the meantime.
 */
@Injectable()
export class OverdueSubscriptionsJob implements OnModuleInit {
  readonly kind = 'poll_overdue_subscriptions';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly repository: StoreRefreshesRepository,
    private readonly connections: StoreConnectionsService,
    private readonly job: StoreRefreshJob,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('overdue-subscriptions', SCHEDULE_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, this.connections.types);
  }

  async work({ projectId, appId, markAt }: StoreTask, app: App): Promise<StoreTaskResult> {
    const nowMs = this.clock.nowMs();
    // Without credentials the store cannot be called; a later poll resumes from here.
    if (!credentialsConfigured(app)) return { againAtMs: nowMs + EVERY_MS, error: null };
    const fromMs = markAt?.getTime() ?? app.createdAt.getTime();
    const found = await this.repository.scheduleOverdue({ projectId, appId }, steps, fromMs, nowMs);
    if (found > 0) this.job.wake({ projectId, appId });
    return { againAtMs: nowMs + EVERY_MS, error: null, markAt: new Date(nowMs) };
  }
}
