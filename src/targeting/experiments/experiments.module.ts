import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OfferingsModule } from '../../catalog/offerings/offerings.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { TargetingRulesModule } from '../rules/targeting-rules.module.js';
import { TargetingSharedModule } from '../shared/targeting-shared.module.js';
import { ExperimentActionsController } from './experiment-actions.controller.js';
import { ExperimentActionsService } from './experiment-actions.service.js';
import { Experiment } from './experiment.entity.js';
import { ExperimentsController } from './experiments.controller.js';
import { ExperimentsRepository } from './experiments.repository.js';
import { ExperimentsService } from './experiments.service.js';
import { WinnerRollouts } from './winner-rollouts.service.js';

@Module({
  imports: [
    CatalogModule,
    OfferingsModule,
    TargetingRulesModule,
    TargetingSharedModule,
    TypeOrmModule.forFeature([Experiment]),
  ],
  controllers: [ExperimentsController, ExperimentActionsController],
  providers: [ExperimentsRepository, ExperimentsService, ExperimentActionsService, WinnerRollouts],
  exports: [ExperimentsService],
})
export class ExperimentsModule {}
