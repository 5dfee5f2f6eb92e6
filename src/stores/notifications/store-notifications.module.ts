import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { UnknownValuesModule } from '../../purchases/unknown-values/unknown-values.module.js';
import { EventsModule } from '../../webhooks/events/events.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { NotificationBodiesService } from './notification-bodies.service.js';
import { NotificationCopiesRepository } from './notification-copies.repository.js';
import { NotificationForwarderJob } from './notification-forwarder.job.js';
import { NotificationHealthService } from './notification-health.service.js';
import { NotificationInboxService } from './notification-inbox.service.js';
import { NotificationIntakeService } from './notification-intake.service.js';
import { NotificationSourcesService } from './notification-sources.service.js';
import { NotificationWorkerJob } from './notification-worker.job.js';
import { NotifiedPurchases } from './notified-purchases.service.js';
import {
  StoreNotification,
  StoreNotificationCopy,
  StoreNotificationKey,
} from './store-notification.entity.js';
import { SilentNotificationsJob } from './silent-notifications.job.js';
import { StoreNotificationsController } from './store-notifications.controller.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';
import { StoreQueueMetrics } from './store-queue.metrics.js';

@Module({
  imports: [
    AlertsModule,
    AppsModule,
    EventsModule,
    ListeningModule,
    PurchasesModule,
    StoreTasksModule,
    StoresModule,
    UnknownValuesModule,
    TypeOrmModule.forFeature([StoreNotification, StoreNotificationCopy, StoreNotificationKey]),
  ],
  controllers: [StoreNotificationsController],
  providers: [
    StoreNotificationsRepository,
    NotificationCopiesRepository,
    NotificationBodiesService,
    NotificationSourcesService,
    NotificationInboxService,
    NotificationWorkerJob,
    NotificationForwarderJob,
    NotificationIntakeService,
    NotificationHealthService,
    NotifiedPurchases,
    SilentNotificationsJob,
    StoreQueueMetrics,
  ],
  exports: [
    NotificationSourcesService,
    NotificationInboxService,
    NotificationIntakeService,
    NotificationHealthService,
    NotifiedPurchases,
  ],
})
export class StoreNotificationsModule {}
