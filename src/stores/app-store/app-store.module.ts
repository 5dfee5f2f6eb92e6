import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ExternalPurchasesModule } from '../../purchases/external-purchases/external-purchases.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { RefundRequestsModule } from '../refund-requests/refund-requests.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { AppleService } from './apple.service.js';
import { AppStoreConnectService } from './app-store-connect.service.js';
import { AppStoreCallsService } from './app-store-calls.service.js';
import { AppStoreConnection } from './app-store.connection.js';
import { AppStoreNotifications } from './app-store.notifications.js';
import { ExternalReportsJob } from './external-reports.job.js';
import { MassExtension } from './mass-extension.entity.js';
import { MassExtensionsController } from './mass-extensions.controller.js';
import { MassExtensionsRepository } from './mass-extensions.repository.js';
import { MassExtensionsService } from './mass-extensions.service.js';
import { MissedNotificationsJob } from './missed-notifications.job.js';
import { PreviousSubscriptionsService } from './previous-subscriptions.service.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CustomersModule,
    ExternalPurchasesModule,
    PurchasesModule,
    RefundRequestsModule,
    StoreTasksModule,
    StoresModule,
    StoreNotificationsModule,
    TypeOrmModule.forFeature([MassExtension]),
  ],
  controllers: [MassExtensionsController],
  providers: [
    AppleService,
    AppStoreCallsService,
    AppStoreConnection,
    AppStoreConnectService,
    AppStoreNotifications,
    ExternalReportsJob,
    MassExtensionsRepository,
    MassExtensionsService,
    MissedNotificationsJob,
    PreviousSubscriptionsService,
  ],
  exports: [AppleService, AppStoreCallsService],
})
export class AppStoreModule {}
