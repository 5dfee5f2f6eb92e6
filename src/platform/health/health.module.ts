import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthMetrics } from './health.metrics.js';

@Module({ controllers: [HealthController], providers: [HealthMetrics] })
export class HealthModule {}
