import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { SubscriptionActionsV2Controller } from '../../stores/actions/subscription-actions.v2.controller.js';
import { SubscriptionTransactionsRepository } from './subscription-transactions.repository.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { SubscriptionsV2Controller } from './subscriptions.v2.controller.js';

/** Subscriptions by their own id or an id of their store. */
@Module({
  imports: [AppsModule, PurchasesModule, StoresModule],
  controllers: [SubscriptionsV2Controller, SubscriptionActionsV2Controller],
  providers: [SubscriptionTransactionsRepository, SubscriptionsService],
})
export class SubscriptionsModule {}
