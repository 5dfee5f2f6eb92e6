import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { RedemptionSettingsController } from './redemption-settings.controller.js';
import { RedemptionSettings } from './redemption-settings.entity.js';
import { RedemptionSettingsRepository } from './redemption-settings.repository.js';
import { RedemptionSettingsService } from './redemption-settings.service.js';

@Module({
  imports: [AppsModule, CatalogModule, TypeOrmModule.forFeature([RedemptionSettings])],
  controllers: [RedemptionSettingsController],
  providers: [RedemptionSettingsRepository, RedemptionSettingsService],
  exports: [RedemptionSettingsService],
})
export class RedemptionSettingsModule {}
