import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { CurrenciesModule } from '../../purchases/currencies/currencies.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { PurchaseLookupsModule } from '../../purchases/lookups/purchase-lookups.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { TransactionsModule } from '../../purchases/transactions/transactions.module.js';
import { UnknownValuesModule } from '../../purchases/unknown-values/unknown-values.module.js';
import { RefundPoliciesModule } from '../refund-policies/refund-policies.module.js';
import { StoresModule } from '../shared/stores.module.js';
import { RefundAnswersJob } from './refund-answers.job.js';
import { RefundAnswersService } from './refund-answers.service.js';
import { RefundFactsService } from './refund-facts.service.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { RefundRequest } from './refund-request.entity.js';
import { RefundRequestsController } from './refund-requests.controller.js';
import { RefundRequestsRecorder } from './refund-requests.recorder.js';
import { RefundRequestsRepository } from './refund-requests.repository.js';
import { RefundRequestsService } from './refund-requests.service.js';
import { RefundPreviewController } from './reports/refund-preview.controller.js';
import { RefundPreviewService } from './reports/refund-preview.service.js';
import { RefundReportsRepository } from './reports/refund-reports.repository.js';
import { RefundStatisticsController } from './reports/refund-statistics.controller.js';
import { RefundStatisticsService } from './reports/refund-statistics.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CurrenciesModule,
    CustomersModule,
    PurchaseLookupsModule,
    PurchasesModule,
    RateLimitsModule,
    RefundPoliciesModule,
    StoresModule,
    TransactionsModule,
    UnknownValuesModule,
    TypeOrmModule.forFeature([RefundRequest]),
  ],
  // Statistics come before the route of a single request, whose path would match them.
  controllers: [RefundStatisticsController, RefundPreviewController, RefundRequestsController],
  providers: [
    RefundAnswersJob,
    RefundAnswersService,
    RefundFactsService,
    RefundOutcomesService,
    RefundPreviewService,
    RefundReportsRepository,
    RefundRequestsRecorder,
    RefundRequestsRepository,
    RefundRequestsService,
    RefundStatisticsService,
  ],
  exports: [RefundOutcomesService, RefundRequestsRecorder, RefundRequestsService, RefundStatisticsService],
})
export class RefundRequestsModule {}
