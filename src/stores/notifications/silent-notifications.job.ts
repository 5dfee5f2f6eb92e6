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
import { NotificationSilenceService } from './notification-silence.service.js';

const HOUR_MS = 3_600_000;
const SCHEDULE_MS = HOUR_MS / 6;
const storeTypes = appTypes.filter((type) => type !== 'test_store' && type !== 'rc_billing');

/** Checks hourly, for each app, whether its store has stopped sending notifications. */
@Injectable()
export class SilentNotificationsJob implements OnModuleInit {
  readonly kind = 'watch_notifications';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly silence: NotificationSilenceService,
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
    const verdict = await this.silence.judge({ projectId, appId });
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
}
