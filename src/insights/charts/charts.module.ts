import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogChangesModule } from '../../catalog/shared/catalog-changes.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { PaywallsModule } from '../../catalog/paywalls/paywalls.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { PlayCancellationsModule } from '../../purchases/play-cancellations/play-cancellations.module.js';
import { RefundRequestsModule } from '../../stores/refund-requests/refund-requests.module.js';
import { ActiveCustomersService } from './activity/active-customers.service.js';
import { ActiveDaysRepository } from './activity/active-days.repository.js';
import { ActiveDaysService } from './activity/active-days.service.js';
import { ChartCohortsRepository } from './cohorts/chart-cohorts.repository.js';
import { ChartSumsService } from './answers/chart-sums.service.js';
import { ComputationsService } from './answers/computations.service.js';
import { BackgroundAnswersService } from './background/background-answers.service.js';
import { BackgroundQuestionsJob } from './background/background-questions.job.js';
import { BackgroundQuestionsRepository } from './background/background-questions.repository.js';
import { ChartPatienceService } from './background/chart-patience.service.js';
import { ChartRatesService } from './answers/chart-rates.service.js';
import { ChartsService } from './answers/charts.service.js';
import { OptionsService } from './answers/options.service.js';
import { SeriesService } from './answers/series.service.js';
import { KeyFiguresRepository } from './key-figures/key-figures.repository.js';
import { KeyFiguresService } from './key-figures/key-figures.service.js';
import { ChartAttributesRepository } from './rollup/chart-attributes.repository.js';
import { ChartCheckService } from './rollup/chart-check.service.js';
import { ChartChecksRepository } from './rollup/chart-checks.repository.js';
import { ChartCohortDaysRepository } from './rollup/chart-cohort-days.repository.js';
import { ChartMarksService } from './rollup/chart-marks.service.js';
import { ChartPiecesRepository } from './rollup/chart-pieces.repository.js';
import { ChartRollupRepository } from './rollup/chart-rollup.repository.js';
import { ChartRollupService } from './rollup/chart-rollup.service.js';
import { ChartSourceRepository } from './rollup/chart-source.repository.js';
import { ChartsRollupJob } from './rollup/charts-rollup.job.js';
import { ChartsRollupMetrics } from './rollup/charts-rollup.metrics.js';
import { chartEntities } from './rollup/chart.entities.js';
import { TableStatisticsRepository } from './rollup/table-statistics.repository.js';
import { NamedObjectsService } from './question/named-objects.service.js';
import { ChartQuestionsService } from './routes/chart-questions.service.js';
import { ChartPreviewsController } from './routes/chart-previews.controller.js';
import { ChartsController } from './routes/charts.controller.js';
import { RevenueMetricController } from './routes/revenue-metric.controller.js';

/** Charts: their definitions, stored data and answers. */
@Module({
  imports: [
    CatalogChangesModule,
    CatalogModule,
    PaywallsModule,
    PlayCancellationsModule,
    ProjectsModule,
    RefundRequestsModule,
    TypeOrmModule.forFeature(chartEntities),
  ],
  controllers: [ChartPreviewsController, ChartsController, RevenueMetricController],
  providers: [
    ChartQuestionsService,
    NamedObjectsService,
    ChartsService,
    ChartSumsService,
    ComputationsService,
    ChartPatienceService,
    BackgroundAnswersService,
    BackgroundQuestionsJob,
    BackgroundQuestionsRepository,
    SeriesService,
    OptionsService,
    ChartRatesService,
    ChartRollupService,
    ChartMarksService,
    ChartPiecesRepository,
    ChartRollupRepository,
    TableStatisticsRepository,
    ChartCohortsRepository,
    ChartCohortDaysRepository,
    ChartCheckService,
    ChartChecksRepository,
    ChartSourceRepository,
    ChartAttributesRepository,
    ChartsRollupJob,
    ChartsRollupMetrics,
    KeyFiguresRepository,
    KeyFiguresService,
    ActiveCustomersService,
    ActiveDaysRepository,
    ActiveDaysService,
  ],
  exports: [
    ActiveCustomersService,
    ChartQuestionsService,
    ChartRollupService,
    ChartsService,
    KeyFiguresService,
  ],
})
export class ChartsModule {}
