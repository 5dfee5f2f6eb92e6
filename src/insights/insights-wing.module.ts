import { Module } from '@nestjs/common';
import { MetricsModule } from './metrics/metrics.module.js';
import { SetupHealthModule } from './setup-health/setup-health.module.js';

/** Figures about a project, and what is wrong with its set-up. */
@Module({ imports: [MetricsModule, SetupHealthModule] })
export class InsightsWingModule {}
