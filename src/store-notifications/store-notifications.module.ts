import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { NotificationForwarder } from './notification-forwarder.js';
import { NotificationHealthService } from './notification-health.service.js';
import { NotificationIntakeService } from './notification-intake.service.js';
import { NotificationSources } from './notification-sources.js';
import { NotificationWorker } from './notification-worker.js';
import { StoreNotificationsController } from './store-notifications.controller.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';

/** The inbox of what stores tell by themselves. */
@Module({
  imports: [AppsModule],
  controllers: [StoreNotificationsController],
  providers: [
    StoreNotificationsRepository,
    NotificationSources,
    NotificationWorker,
    NotificationForwarder,
    NotificationIntakeService,
    NotificationHealthService,
  ],
  exports: [NotificationSources, NotificationIntakeService, NotificationHealthService],
})
export class StoreNotificationsModule {}
