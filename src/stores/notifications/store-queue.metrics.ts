import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DueAges, type OldestDue } from '../../platform/jobs/due-age.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';
import { NotificationCopiesRepository } from './notification-copies.repository.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';

@Injectable()
export class StoreQueueMetrics {
  constructor(
    notifications: StoreNotificationsRepository,
    copies: NotificationCopiesRepository,
    refreshes: StoreRefreshesService,
    tasks: StoreTasksService,
    @Inject(CLOCK) clock: Clock,
    registry: Registry,
  ) {
    const queues: Record<string, () => Promise<OldestDue>> = {
      notifications: () => notifications.oldestDue(),
      copies: () => copies.oldestDue(),
      refreshes: () => refreshes.oldestDue(),
      tasks: () => tasks.oldestDue(),
    };
    const ages = new DueAges(clock, Object.values(queues));
    new Gauge({
      name: 'tenure_store_queue_oldest_due_seconds',
      aggregator: 'max',
      help: 'How long the oldest of what waits for stores has been due; NaN without the database.',
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const seconds = await ages.seconds();
        for (const [index, queue] of Object.keys(queues).entries()) {
          this.set({ queue }, seconds[index] ?? Number.NaN);
        }
      },
    });
  }
}
