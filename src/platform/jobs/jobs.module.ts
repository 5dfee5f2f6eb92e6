import { Global, Module } from '@nestjs/common';
import { ClockSkew } from './clock-skew.js';
import { JobMetrics } from './job-metrics.js';
import { LeasedWorkFactory } from './leased-work.factory.js';

/** Provides and monitors the background work of all features. */
@Global()
@Module({ providers: [JobMetrics, ClockSkew, LeasedWorkFactory], exports: [LeasedWorkFactory] })
export class JobsModule {}
