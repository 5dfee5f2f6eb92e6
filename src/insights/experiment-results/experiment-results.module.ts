import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ExperimentsModule } from '../../targeting/experiments/experiments.module.js';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { ChartsModule } from '../charts/charts.module.js';
import { ExperimentComputation, ExperimentFigures } from './experiment-figures.entity.js';
import { ExperimentFiguresRepository } from './experiment-figures.repository.js';
import { ExperimentFiguresService } from './experiment-figures.service.js';
import { ExperimentResultsController } from './experiment-results.controller.js';
import { ExperimentResultsJob } from './experiment-results.job.js';
import { ExperimentResultsService } from './experiment-results.service.js';

/** Results of experiments, from the facts of the charts. */
@Module({
  imports: [
    AlertsModule,
    CatalogModule,
    ChartsModule,
    ExperimentsModule,
    TypeOrmModule.forFeature([ExperimentFigures, ExperimentComputation]),
  ],
  controllers: [ExperimentResultsController],
  providers: [
    ExperimentFiguresRepository,
    ExperimentFiguresService,
    ExperimentResultsJob,
    ExperimentResultsService,
  ],
})
export class ExperimentResultsModule {}
