import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CleanupsJob } from './cleanups.job.js';
import { ClockSkewService } from './clock-skew.service.js';
import { DatabaseClockService } from './database-clock.service.js';
import { JobMetrics } from './job.metrics.js';
import { LeasedWorkFactory } from './leased-work.factory.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [CleanupsJob, JobMetrics, ClockSkewService, DatabaseClockService, LeasedWorkFactory],
  exports: [DatabaseClockService, LeasedWorkFactory],
})
export class JobsModule {}
