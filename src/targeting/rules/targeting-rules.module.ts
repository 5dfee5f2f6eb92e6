import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { TargetingSharedModule } from '../shared/targeting-shared.module.js';
import { TargetingRule } from './targeting-rule.entity.js';
import { TargetingRulesController } from './targeting-rules.controller.js';
import { TargetingRulesRepository } from './targeting-rules.repository.js';
import { TargetingRulesService } from './targeting-rules.service.js';

@Module({
  imports: [CatalogModule, TargetingSharedModule, TypeOrmModule.forFeature([TargetingRule])],
  controllers: [TargetingRulesController],
  providers: [TargetingRulesRepository, TargetingRulesService],
  exports: [TargetingRulesService],
})
export class TargetingRulesModule {}
