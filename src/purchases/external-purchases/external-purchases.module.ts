import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { ExternalReportsModule } from '../external-reports/external-reports.module.js';
import { PurchaseLookupsModule } from '../lookups/purchase-lookups.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { ExternalPurchaseBindingEntity } from './external-purchase-binding.entity.js';
import { ExternalPurchaseBindingsRepository } from './external-purchase-bindings.repository.js';
import { ExternalPurchaseBindingsService } from './external-purchase-bindings.service.js';
import { ExternalPurchaseMetrics } from './external-purchase.metrics.js';
import { ExternalPurchaseTokenEntity } from './external-purchase-token.entity.js';
import { ExternalPurchaseTokensRepository } from './external-purchase-tokens.repository.js';
import { ExternalPurchaseTokensService } from './external-purchase-tokens.service.js';
import { ExternalPurchaseTokensV2Controller } from './external-purchase-tokens.v2.controller.js';
import { OverdueTokensRepository } from './overdue-tokens.repository.js';
import { OverdueTokensService } from './overdue-tokens.service.js';
import { ReportRestatementsController } from './report-restatements.controller.js';
import { ReportRestatementsService } from './report-restatements.service.js';
import './customer-rows.sql.js';

/** Purchases made outside the App Store and Google Play that must be reported to them. */
@Module({
  imports: [
    AppsModule,
    CustomersModule,
    ExternalReportsModule,
    PurchaseLookupsModule,
    PurchasesModule,
    RateLimitsModule,
    TypeOrmModule.forFeature([ExternalPurchaseBindingEntity, ExternalPurchaseTokenEntity]),
  ],
  controllers: [ExternalPurchaseTokensV2Controller, ReportRestatementsController],
  providers: [
    ExternalPurchaseBindingsRepository,
    ExternalPurchaseBindingsService,
    ExternalPurchaseMetrics,
    ExternalPurchaseTokensRepository,
    ExternalPurchaseTokensService,
    OverdueTokensRepository,
    OverdueTokensService,
    ReportRestatementsService,
  ],
  exports: [ExternalPurchaseTokensService, OverdueTokensService, ReportRestatementsService],
})
export class ExternalPurchasesModule {}
