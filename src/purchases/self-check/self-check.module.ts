import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { SelfCheckJob } from './self-check.job.js';
import { SelfCheckRepository } from './self-check.repository.js';

/** Whether what is stored is what the facts say. */
@Module({ imports: [CatalogModule, ListeningModule], providers: [SelfCheckRepository, SelfCheckJob] })
export class SelfCheckModule {}
