import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { SubscriptionTransactionsRepository } from './subscription-transactions.repository.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { SubscriptionsV2Controller } from './subscriptions.v2.controller.js';

@Module({
  imports: [AppsModule, PurchasesModule],
  controllers: [SubscriptionsV2Controller],
  providers: [SubscriptionTransactionsRepository, SubscriptionsService],
  exports: [SubscriptionsService],
})
export class SubscriptionsModule {}
