import { Module } from '@nestjs/common';
import { ChartNotesModule } from './chart-notes/chart-notes.module.js';
import { ChartsModule } from './charts/charts.module.js';
import { ExperimentResultsModule } from './experiment-results/experiment-results.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';

/** Metrics, charts, experiment results and setup checks of a project. */
@Module({
  imports: [MetricsModule, ChartsModule, ChartNotesModule, ExperimentResultsModule, SetupHealthModule],
})
export class InsightsAreaModule {}
