import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { SubscriptionsModule } from '../../purchases/subscriptions/subscriptions.module.js';
import { PurchaseActionsV2Controller } from './purchase-actions.v2.controller.js';
import { SubscriptionActionsService } from './subscription-actions.service.js';
import { SubscriptionActionsV2Controller } from './subscription-actions.v2.controller.js';
import { StoreActionsService } from './store-actions.service.js';
import { StoreActionsV1Controller } from './store-actions.v1.controller.js';
import { StoreOrderRecorder } from './store-order.recorder.js';
import { StoreOrdersService } from './store-orders.service.js';
import { SubscriptionExtensionsService } from './subscription-extensions.service.js';
import { TestStoreRefundsService } from './test-store-refunds.service.js';

@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule, StoresModule, SubscriptionsModule],
  controllers: [StoreActionsV1Controller, SubscriptionActionsV2Controller, PurchaseActionsV2Controller],
  providers: [
    StoreActionsService,
    StoreOrderRecorder,
    StoreOrdersService,
    SubscriptionActionsService,
    SubscriptionExtensionsService,
    TestStoreRefundsService,
  ],
})
export class StoreActionsModule {}
