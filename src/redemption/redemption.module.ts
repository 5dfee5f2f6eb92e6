import { Module } from '@nestjs/common';
import { RedemptionLinksModule } from './links/redemption-links.module.js';
import { RedemptionPageModule } from './page/redemption-page.module.js';
import { RedeemingModule } from './redeeming/redeeming.module.js';
import { RedemptionSettingsModule } from './settings/redemption-settings.module.js';

/** Redemption links, which bring purchases made on the web to a customer of an app. */
@Module({
  imports: [RedeemingModule, RedemptionSettingsModule, RedemptionLinksModule, RedemptionPageModule],
})
export class RedemptionAreaModule {}
