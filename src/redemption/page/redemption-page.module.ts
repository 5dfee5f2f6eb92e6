import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { RedemptionLinksModule } from '../links/redemption-links.module.js';
import { RedeemingModule } from '../redeeming/redeeming.module.js';
import { RedemptionSettingsModule } from '../settings/redemption-settings.module.js';
import { RedemptionPageController } from './redemption-page.controller.js';
import { RedemptionPagesService } from './redemption-pages.service.js';

@Module({
  imports: [RateLimitsModule, RedeemingModule, RedemptionLinksModule, RedemptionSettingsModule],
  controllers: [RedemptionPageController],
  providers: [RedemptionPagesService],
})
export class RedemptionPageModule {}
