import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ListeningModule } from '../../platform/listening/listening.module.js';
import { SelfCheck } from './self-check.entity.js';
import { SelfCheckJob } from './self-check.job.js';
import { SelfCheckRepository } from './self-check.repository.js';

@Module({
  imports: [CatalogModule, ListeningModule, TypeOrmModule.forFeature([SelfCheck])],
  providers: [SelfCheckRepository, SelfCheckJob],
})
export class SelfCheckModule {}
