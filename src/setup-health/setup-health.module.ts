import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { StoreNotificationsModule } from '../store-notifications/store-notifications.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { SetupHealthController } from './setup-health.controller.js';
import { SetupHealthService } from './setup-health.service.js';
import { StoreSettingsController } from './store-settings.controller.js';
import { StoreSettingsService } from './store-settings.service.js';

/** The health of a project's setup. */
@Module({
  imports: [
    AppsModule,
    CustomersModule,
    MetricsModule,
    StoreNotificationsModule,
    StoresModule,
    TransactionsModule,
    WebhooksModule,
  ],
  controllers: [SetupHealthController, StoreSettingsController],
  providers: [SetupHealthService, StoreSettingsService],
})
export class SetupHealthModule {}
