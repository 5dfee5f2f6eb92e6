import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ActiveSubscriptions } from '../../catalog/shared/active-subscriptions.js';
import { CustomerDaysRetention } from './customer-days-retention.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import {
  MetricChange,
  MetricCustomerChange,
  MetricCustomerDay,
  MetricProject,
} from './metric-changes.entity.js';
import { MetricDay, MetricHour, StoredMetricPeriod } from './metric-figures.entity.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRepository } from './metrics.repository.js';
import { MetricsRollup } from './metrics-rollup.js';
import { MetricsService } from './metrics.service.js';
import { RolledUpActiveSubscriptions } from './rolled-up-active-subscriptions.js';
import { RollupRepository } from './rollup.repository.js';
import { SalesSeriesService } from './sales-series.service.js';
import { UnknownProducts } from './unknown-products.js';

/** Metrics of a project, now and by day. Global, because the catalog below injects `ActiveSubscriptions`. */
@Global()
@Module({
  imports: [
    CatalogModule,
    TypeOrmModule.forFeature([
      MetricDay,
      MetricHour,
      StoredMetricPeriod,
      MetricChange,
      MetricCustomerChange,
      MetricCustomerDay,
      MetricProject,
    ]),
  ],
  controllers: [MetricsController],
  providers: [
    MetricsService,
    MetricsRepository,
    RollupRepository,
    SalesSeriesService,
    CustomerCountsRepository,
    MetricsRollup,
    CustomerDaysRetention,
    { provide: ActiveSubscriptions, useClass: RolledUpActiveSubscriptions },
    UnknownProducts,
  ],
  exports: [ActiveSubscriptions, UnknownProducts],
})
export class MetricsModule {}
