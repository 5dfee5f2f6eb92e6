import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChartsModule } from '../charts/charts.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ActiveSubscriptions } from '../../catalog/shared/active-subscriptions.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import { MetricCustomerChange, MetricCustomerDay } from './customer-counts.entity.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRepository } from './metrics.repository.js';
import { CustomerCountsJob } from './customer-counts.job.js';
import { MetricsService } from './metrics.service.js';
import { RolledUpActiveSubscriptionsService } from './rolled-up-active-subscriptions.service.js';
import { UnknownProductsService } from './unknown-products.service.js';

/** Global, because the catalog, a lower area, injects `ActiveSubscriptions`. */
@Global()
@Module({
  imports: [CatalogModule, ChartsModule, TypeOrmModule.forFeature([MetricCustomerChange, MetricCustomerDay])],
  controllers: [MetricsController],
  providers: [
    MetricsService,
    MetricsRepository,
    CustomerCountsRepository,
    CustomerCountsJob,
    { provide: ActiveSubscriptions, useClass: RolledUpActiveSubscriptionsService },
    UnknownProductsService,
  ],
  exports: [ActiveSubscriptions, UnknownProductsService],
})
export class MetricsModule {}
