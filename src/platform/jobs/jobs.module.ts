import { Module } from '@nestjs/common';
import { ClockSkew } from './clock-skew.js';
import { JobMetrics } from './job-metrics.js';

/** Watches the background work of all features. */
@Module({ providers: [JobMetrics, ClockSkew] })
export class JobsModule {}
