import { Module } from '@nestjs/common';
import { ChartsModule } from './charts/charts.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';

/** Metrics and charts of a project, and checks of its setup. */
@Module({ imports: [MetricsModule, ChartsModule, SetupHealthModule] })
export class InsightsWingModule {}
