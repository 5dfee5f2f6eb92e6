import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { FactsComparison } from './facts-comparison.js';
import { SelfCheckJob } from './self-check.job.js';
import { SelfCheckRepository } from './self-check.repository.js';

/** Whether what is stored is what the facts say. */
@Module({
  imports: [CatalogModule, ListeningModule],
  providers: [FactsComparison, SelfCheckRepository, SelfCheckJob],
})
export class SelfCheckModule {}
