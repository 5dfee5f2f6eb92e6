import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { StoreNotificationsModule } from '../store-notifications/store-notifications.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { SetupHealthController } from './setup-health.controller.js';
import { SetupHealthService } from './setup-health.service.js';

/** The health of a project's setup. */
@Module({
  imports: [
    AppsModule,
    CustomersModule,
    StoreNotificationsModule,
    StoresModule,
    TransactionsModule,
    WebhooksModule,
  ],
  controllers: [SetupHealthController],
  providers: [SetupHealthService],
})
export class SetupHealthModule {}
