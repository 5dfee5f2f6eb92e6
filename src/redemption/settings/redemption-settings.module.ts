import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { SupportAddresses } from '../../sdk/support-calls/support-addresses.js';
import { RedemptionSettingsController } from './redemption-settings.controller.js';
import { RedemptionSettings } from './redemption-settings.entity.js';
import { RedemptionSettingsRepository } from './redemption-settings.repository.js';
import { RedemptionSettingsService } from './redemption-settings.service.js';

/** Global, so that the SDK area below finds what it asks this area for. */
@Global()
@Module({
  imports: [AppsModule, CatalogModule, TypeOrmModule.forFeature([RedemptionSettings])],
  controllers: [RedemptionSettingsController],
  providers: [
    RedemptionSettingsRepository,
    RedemptionSettingsService,
    { provide: SupportAddresses, useExisting: RedemptionSettingsService },
  ],
  exports: [RedemptionSettingsService, SupportAddresses],
})
export class RedemptionSettingsModule {}
