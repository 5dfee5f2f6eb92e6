import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { appTypes } from '../../platform/principal/app-types.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import type { AlertKey } from '../../workspace/alerts/project-alert.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { EventsService } from '../../webhooks/events/events.service.js';
import { flowOf, MIN_PAYMENTS, UNDER_WAY_MS } from './notification-silence.policy.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';

const HOUR_MS = 3_600_000;
const SCHEDULE_MS = HOUR_MS / 6;
const HORIZON_MS = 90 * 24 * HOUR_MS;
const storeTypes = appTypes.filter((type) => type !== 'test_store' && type !== 'rc_billing');

/** `silent` comes with the time of the last notification. */
type NotificationVerdict = { is: 'arriving' | 'unclear' } | { is: 'silent'; lastHeardAtMs: number };

/** Checks hourly, for each app, whether its store has stopped sending notifications. */
@Injectable()
export class SilentNotificationsJob implements OnModuleInit {
  readonly kind = 'watch_notifications';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly repository: StoreNotificationsRepository,
    private readonly events: EventsService,
    private readonly listening: ListeningTimeService,
    private readonly alerts: ProjectAlertsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('silent-notifications', SCHEDULE_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, storeTypes);
  }

  async work({ projectId, appId }: StoreTask, { name, type: store }: App): Promise<StoreTaskResult> {
    const verdict = await this.judge({ projectId, appId });
    const alert: AlertKey = { projectId, cause: 'notifications_silent', subjectId: appId };
    if (verdict.is !== 'unclear') {
      await this.database.transaction((tx) =>
        verdict.is === 'silent'
          ? this.alerts.open(tx, alert, { name, store, lastHeardAtMs: verdict.lastHeardAtMs })
          : this.alerts.resolve(tx, alert),
      );
    }
    return { againAtMs: this.clock.nowMs() + HOUR_MS, error: null };
  }

  /**
   * Silent: notifications used to arrive but stopped, although customers kept paying while this server was listening.
   */
  private async judge(app: { projectId: string; appId: string }): Promise<NotificationVerdict> {
    const nowMs = this.clock.nowMs();
    const heardAtMs = await this.repository.arrivals(app, new Date(nowMs - HORIZON_MS));
    const [lastHeardAtMs = 0] = heardAtMs;
    const flow = flowOf(heardAtMs, nowMs);
    if (flow !== 'overdue') return { is: flow };
    // Payments made while this server was down may have had notifications that were lost.
    const from = new Date(Math.max(lastHeardAtMs, this.listening.sinceMs(nowMs)));
    const to = new Date(nowMs - UNDER_WAY_MS);
    const payments = await this.events.countPayments(app, { from, to }, MIN_PAYMENTS);
    return payments < MIN_PAYMENTS ? { is: 'unclear' } : { is: 'silent', lastHeardAtMs };
  }
}
