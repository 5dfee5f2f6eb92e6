import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthMetrics } from './health-metrics.js';

/** What load balancers and monitoring ask a process. */
@Module({ controllers: [HealthController], providers: [HealthMetrics] })
export class HealthModule {}
