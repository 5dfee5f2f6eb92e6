import { Module } from '@nestjs/common';
import { RedemptionLinksModule } from './links/redemption-links.module.js';
import { RedemptionPageModule } from './page/redemption-page.module.js';
import { RedeemingModule } from './redeeming/redeeming.module.js';
import { RedemptionSettingsModule } from './settings/redemption-settings.module.js';

/** Purchases made on the web: links to them, and how they reach the customer of an app. */
@Module({
  imports: [RedeemingModule, RedemptionSettingsModule, RedemptionLinksModule, RedemptionPageModule],
})
export class RedemptionAreaModule {}
