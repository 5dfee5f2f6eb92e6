import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../recording/purchases.module.js';
import { DueWorkJob } from './due-work.job.js';
import { DueWorkMetrics } from './due-work.metrics.js';
import { DueWorkRepository } from './due-work.repository.js';
import { DueWorkService } from './due-work.service.js';

/** State changes caused only by the passage of time. */
@Module({
  imports: [CatalogModule, CustomersModule, PurchasesModule],
  providers: [DueWorkRepository, DueWorkService, DueWorkMetrics, DueWorkJob],
})
export class DueWorkModule {}
