import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { PurchasesModule } from '../purchases/purchases.module.js';
import { StoreChoresModule } from '../store-chores/store-chores.module.js';
import { StoreNotificationsModule } from '../store-notifications/store-notifications.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { Apple } from './apple.js';
import { AppStoreConnection } from './app-store.connection.js';
import { AppStoreNotifications } from './app-store.notifications.js';
import { ConsumptionRequestsRepository } from './consumption-requests.repository.js';
import { ConsumptionRequestsService } from './consumption-requests.service.js';
import { MassExtensionsController } from './mass-extensions.controller.js';
import { MassExtensionsRepository } from './mass-extensions.repository.js';
import { MassExtensionsService } from './mass-extensions.service.js';
import { MissedNotifications } from './missed-notifications.js';

/** The App Store and the Mac App Store. */
@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CustomersModule,
    PurchasesModule,
    StoreChoresModule,
    StoresModule,
    StoreNotificationsModule,
  ],
  controllers: [MassExtensionsController],
  providers: [
    Apple,
    AppStoreConnection,
    AppStoreNotifications,
    ConsumptionRequestsRepository,
    ConsumptionRequestsService,
    MassExtensionsRepository,
    MassExtensionsService,
    MissedNotifications,
  ],
})
export class AppStoreModule {}
