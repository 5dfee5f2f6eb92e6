import { Module } from '@nestjs/common';
import { JobMetrics } from './job-metrics.js';

/** Watches the background work of all features. */
@Module({ providers: [JobMetrics] })
export class JobsModule {}
