import { Global, Module } from '@nestjs/common';
import { ClockSkew } from './clock-skew.js';
import { JobMetrics } from './job-metrics.js';
import { LeasedWorkFactory } from './leased-work.factory.js';

/** Gives every feature its background work, and watches all of it. */
@Global()
@Module({ providers: [JobMetrics, ClockSkew, LeasedWorkFactory], exports: [LeasedWorkFactory] })
export class JobsModule {}
