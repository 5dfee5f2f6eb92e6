import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { RokuKeysService } from './roku-keys.service.js';
import { RokuConnection } from './roku.connection.js';
import { RokuNotifications } from './roku.notifications.js';
import { RokuService } from './roku.service.js';

@Module({
  imports: [AppsModule, CatalogModule, PurchasesModule, StoresModule, StoreNotificationsModule],
  providers: [RokuService, RokuConnection, RokuKeysService, RokuNotifications],
})
export class RokuModule {}
