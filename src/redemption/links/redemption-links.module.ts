import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { StoreTasksModule } from '../../purchases/store-tasks/store-tasks.module.js';
import { RedemptionSettingsModule } from '../settings/redemption-settings.module.js';
import { RedemptionMetricsModule } from '../shared/redemption-metrics.module.js';
import { LinkIssuerService } from './link-issuer.service.js';
import { ListedLinksService } from './listed-links.service.js';
import { PurchaseMailsService } from './purchase-mails.service.js';
import { RedeemablePurchasesService } from './redeemable-purchases.service.js';
import { RedemptionLinkRoute } from './redemption-link-route.entity.js';
import { RedemptionLink } from './redemption-link.entity.js';
import { RedemptionLinksController } from './redemption-links.controller.js';
import { RedemptionLinksRepository } from './redemption-links.repository.js';
import { RedemptionLinksService } from './redemption-links.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [
    CustomersModule,
    PurchasesModule,
    RateLimitsModule,
    RedemptionMetricsModule,
    RedemptionSettingsModule,
    StoreTasksModule,
    TypeOrmModule.forFeature([RedemptionLink, RedemptionLinkRoute]),
  ],
  controllers: [RedemptionLinksController],
  providers: [
    LinkIssuerService,
    ListedLinksService,
    PurchaseMailsService,
    RedeemablePurchasesService,
    RedemptionLinksRepository,
    RedemptionLinksService,
  ],
  exports: [LinkIssuerService, ListedLinksService, RedeemablePurchasesService],
})
export class RedemptionLinksModule {}
