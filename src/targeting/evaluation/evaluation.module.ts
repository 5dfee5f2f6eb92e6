import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { SdkOfferingsModule } from '../offerings/sdk-offerings.module.js';
import { TargetingRulesModule } from '../rules/targeting-rules.module.js';
import { EvaluationController } from './evaluation.controller.js';
import { EvaluationService } from './evaluation.service.js';
import { PlacementsRepository } from './placements.repository.js';

@Module({
  imports: [CatalogModule, SdkOfferingsModule, TargetingRulesModule],
  controllers: [EvaluationController],
  providers: [EvaluationService, PlacementsRepository],
})
export class EvaluationModule {}
