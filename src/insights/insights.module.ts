import { Module } from '@nestjs/common';
import { ChartNotesModule } from './chart-notes/chart-notes.module.js';
import { ChartsModule } from './charts/charts.module.js';
import { DigestsModule } from './digests/digests.module.js';
import { ExperimentResultsModule } from './experiment-results/experiment-results.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { SavedChartsModule } from './saved-charts/saved-charts.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';

/** Metrics, charts, digests, experiment results and setup checks of a project. */
@Module({
  imports: [
    MetricsModule,
    ChartsModule,
    ChartNotesModule,
    SavedChartsModule,
    ExperimentResultsModule,
    SetupHealthModule,
    DigestsModule,
  ],
})
export class InsightsAreaModule {}
