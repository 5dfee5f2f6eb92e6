import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { StripeConnection } from './stripe.connection.js';
import { StripeNotifications } from './stripe.notifications.js';

@Module({
  imports: [AppsModule, CatalogModule, PurchasesModule, StoresModule, StoreNotificationsModule],
  providers: [StripeConnection, StripeNotifications],
})
export class StripeModule {}
