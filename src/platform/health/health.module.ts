import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthMetrics } from './health.metrics.js';

/** Endpoints for load balancers and monitoring. */
@Module({ controllers: [HealthController], providers: [HealthMetrics] })
export class HealthModule {}
