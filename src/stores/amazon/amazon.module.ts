import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../notifications/store-notifications.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { AmazonConnection } from './amazon.connection.js';
import { AmazonNotifications } from './amazon.notifications.js';
import { Sns } from './sns.service.js';

@Module({
  imports: [AppsModule, CustomersModule, PurchasesModule, StoresModule, StoreNotificationsModule],
  providers: [AmazonConnection, AmazonNotifications, Sns],
  exports: [AmazonConnection],
})
export class AmazonModule {}
