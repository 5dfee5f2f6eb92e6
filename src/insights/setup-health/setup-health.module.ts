import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ExternalReportsModule } from '../../purchases/external-reports/external-reports.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreNotificationsModule } from '../../stores/notifications/store-notifications.module.js';
import { RefundRequestsModule } from '../../stores/refund-requests/refund-requests.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { TransactionsModule } from '../../purchases/transactions/transactions.module.js';
import { UnknownValuesModule } from '../../purchases/unknown-values/unknown-values.module.js';
import { DeliveriesModule } from '../../webhooks/deliveries/deliveries.module.js';
import { PublicAddressService } from './public-address.service.js';
import { SetupHealthController } from './setup-health.controller.js';
import { SetupHealthService } from './setup-health.service.js';
import { StoreSettingsController } from './store-settings.controller.js';
import { StoreSettingsService } from './store-settings.service.js';
import { StoreSetupService } from './store-setup.service.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CustomersModule,
    ExternalReportsModule,
    MetricsModule,
    PurchasesModule,
    RefundRequestsModule,
    StoreNotificationsModule,
    StoresModule,
    TransactionsModule,
    UnknownValuesModule,
    DeliveriesModule,
  ],
  controllers: [SetupHealthController, StoreSettingsController],
  providers: [PublicAddressService, StoreSetupService, SetupHealthService, StoreSettingsService],
})
export class SetupHealthModule {}
