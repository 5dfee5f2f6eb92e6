import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ActiveSubscriptions } from '../../catalog/shared/active-subscriptions.js';
import { CustomerDaysRetentionJob } from './customer-days-retention.job.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import { MetricCustomerChange, MetricCustomerDay, MetricProject } from './metric-changes.entity.js';
import { MetricDay, MetricHour, StoredMetricPeriod } from './metric-figures.entity.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRepository } from './metrics.repository.js';
import { MetricsRollupJob } from './metrics-rollup.job.js';
import { MetricsService } from './metrics.service.js';
import { RolledUpActiveSubscriptionsService } from './rolled-up-active-subscriptions.service.js';
import { RollupRepository } from './rollup.repository.js';
import { UnknownProductsService } from './unknown-products.service.js';

/** Global, because the catalog, a lower area, injects `ActiveSubscriptions`. */
@Global()
@Module({
  imports: [
    CatalogModule,
    TypeOrmModule.forFeature([
      MetricDay,
      MetricHour,
      StoredMetricPeriod,
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
    CustomerCountsRepository,
    MetricsRollupJob,
    CustomerDaysRetentionJob,
    { provide: ActiveSubscriptions, useClass: RolledUpActiveSubscriptionsService },
    UnknownProductsService,
  ],
  exports: [ActiveSubscriptions, UnknownProductsService],
})
export class MetricsModule {}
