import { Module } from '@nestjs/common';
import { RedemptionMetrics } from './redemption.metrics.js';

@Module({ providers: [RedemptionMetrics], exports: [RedemptionMetrics] })
export class RedemptionMetricsModule {}
