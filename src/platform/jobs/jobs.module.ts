import { Global, Module } from '@nestjs/common';
import { ClockSkewService } from './clock-skew.service.js';
import { DatabaseClockService } from './database-clock.service.js';
import { JobMetrics } from './job.metrics.js';
import { LeasedWorkFactory } from './leased-work.factory.js';

@Global()
@Module({
  providers: [JobMetrics, ClockSkewService, DatabaseClockService, LeasedWorkFactory],
  exports: [DatabaseClockService, LeasedWorkFactory],
})
export class JobsModule {}
