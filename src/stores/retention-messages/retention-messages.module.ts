import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchaseLookupsModule } from '../../purchases/lookups/purchase-lookups.module.js';
import { TransactionsModule } from '../../purchases/transactions/transactions.module.js';
import { AppStoreModule } from '../app-store/app-store.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { RetentionMessageText } from './messages/retention-message.entity.js';
import { RetentionMessagesController } from './messages/retention-messages.controller.js';
import { RetentionMessagesRepository } from './messages/retention-messages.repository.js';
import { RetentionMessagesService } from './messages/retention-messages.service.js';
import { RetentionAppsService } from './requests/retention-apps.service.js';
import { RetentionOutcomesJob } from './requests/retention-outcomes.job.js';
import { RetentionRequest } from './requests/retention-request.entity.js';
import { RetentionRequestsController } from './requests/retention-requests.controller.js';
import { RetentionRequestsRepository } from './requests/retention-requests.repository.js';
import { RetentionRequestsService } from './requests/retention-requests.service.js';
import { RetentionStatisticsController } from './requests/retention-statistics.controller.js';
import { RetentionRule } from './rules/retention-rule.entity.js';
import { RetentionRulesController } from './rules/retention-rules.controller.js';
import { RetentionRulesRepository } from './rules/retention-rules.repository.js';
import { RetentionRulesService } from './rules/retention-rules.service.js';

/** Messages that the App Store shows to customers who are about to cancel. */
@Module({
  imports: [
    AppsModule,
    AppStoreModule,
    CatalogModule,
    CustomersModule,
    PurchaseLookupsModule,
    StoresModule,
    TransactionsModule,
    TypeOrmModule.forFeature([RetentionMessageText, RetentionRequest, RetentionRule]),
  ],
  // The statistics come before the message with an id.
  controllers: [
    RetentionStatisticsController,
    RetentionMessagesController,
    RetentionRulesController,
    RetentionRequestsController,
  ],
  providers: [
    RetentionAppsService,
    RetentionMessagesRepository,
    RetentionMessagesService,
    RetentionOutcomesJob,
    RetentionRequestsRepository,
    RetentionRequestsService,
    RetentionRulesRepository,
    RetentionRulesService,
  ],
})
export class RetentionMessagesModule {}
