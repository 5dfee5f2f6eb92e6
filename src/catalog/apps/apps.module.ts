import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogChangesModule } from '../shared/catalog-changes.module.js';
import { App } from './app.entity.js';
import { AppRoute } from './app-route.entity.js';
import { PublicKeyOwner } from './public-key-owner.entity.js';
import { AppPublicKeysService } from './app-public-keys.service.js';
import { AppsController } from './apps.controller.js';
import { AppsRepository } from './apps.repository.js';
import { AppsService } from './apps.service.js';

@Module({
  imports: [CatalogChangesModule, TypeOrmModule.forFeature([App, AppRoute, PublicKeyOwner])],
  controllers: [AppsController],
  providers: [AppsRepository, AppsService, AppPublicKeysService],
  exports: [AppsService, AppPublicKeysService],
})
export class AppsModule {}
