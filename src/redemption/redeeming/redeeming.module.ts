import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { IdentityModule } from '../../sdk/identity/identity.module.js';
import { RedemptionLinksModule } from '../links/redemption-links.module.js';
import { RedemptionSettingsModule } from '../settings/redemption-settings.module.js';
import { RedemptionMetricsModule } from '../shared/redemption-metrics.module.js';
import { ExpiredLinksService } from './expired-links.service.js';
import { RedeemService } from './redeem.service.js';
import { RedeemV1Controller } from './redeem.v1.controller.js';
import { RedeemerService } from './redeemer.service.js';
import { RedemptionLimitsService } from './redemption-limits.service.js';

@Module({
  imports: [
    CatalogModule,
    CustomersModule,
    IdentityModule,
    PurchasesModule,
    RateLimitsModule,
    RedemptionLinksModule,
    RedemptionMetricsModule,
    RedemptionSettingsModule,
  ],
  controllers: [RedeemV1Controller],
  providers: [ExpiredLinksService, RedeemerService, RedeemService, RedemptionLimitsService],
  exports: [ExpiredLinksService],
})
export class RedeemingModule {}
