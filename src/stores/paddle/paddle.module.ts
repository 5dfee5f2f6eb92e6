import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { SubscriptionsModule } from '../../purchases/subscriptions/subscriptions.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { MissedPaddleEventsJob } from './missed-paddle-events.job.js';
import { OpenSubscriptionsJob } from './open-subscriptions.job.js';
import { PaddleEventsRepository } from './paddle-events.repository.js';
import { PaddleConnection } from './paddle.connection.js';
import { PaddleNotifications } from './paddle.notifications.js';
import { PaddleService } from './paddle.service.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    PurchasesModule,
    StoresModule,
    StoreNotificationsModule,
    StoreTasksModule,
    SubscriptionsModule,
  ],
  providers: [
    PaddleService,
    PaddleConnection,
    PaddleNotifications,
    PaddleEventsRepository,
    MissedPaddleEventsJob,
    OpenSubscriptionsJob,
  ],
})
export class PaddleModule {}
