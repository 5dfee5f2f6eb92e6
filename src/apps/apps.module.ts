import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { App } from './app.entity.js';
import { AppsController } from './apps.controller.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';
import { StoreSettingsController } from './store-settings.controller.js';
import { StoreSettingsService } from './store-settings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([App])],
  controllers: [AppsController, StoreSettingsController],
  providers: [AppsRepository, AppsService, StoreSettingsService],
  exports: [AppsService],
})
export class AppsModule {}
