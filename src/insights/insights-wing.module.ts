import { Module } from '@nestjs/common';
import { MetricsModule } from './metrics/metrics.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';

/** Metrics of a project, and checks of its setup. */
@Module({ imports: [MetricsModule, SetupHealthModule] })
export class InsightsWingModule {}
