import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogChangesModule } from '../../catalog/shared/catalog-changes.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { ReportConsumers } from './report-consumers.service.js';
import { ReportChange, ReportDeletion, ReportProject } from './report-project.entity.js';
import { ReportProjectsRepository } from './report-projects.repository.js';
import { ReportRollupJob } from './report-rollup.job.js';
import { ReportRollupService } from './report-rollup.service.js';
import { ReportCustomer, ReportSubscription } from './report-rows.entity.js';
import { ReportRowsMetrics } from './report-rows.metrics.js';
import { ReportRowsRepository } from './report-rows.repository.js';
import { ReportRowsService } from './report-rows.service.js';
import { ReportSourceRepository } from './report-source.repository.js';
import { ReportTransaction } from './report-transaction.entity.js';
import { ReportUpkeepJob } from './report-upkeep.job.js';

/** Rows of data sets, derived from purchases, customers and the catalog. */
@Module({
  imports: [
    CatalogChangesModule,
    CatalogModule,
    ProjectsModule,
    TypeOrmModule.forFeature([
      ReportProject,
      ReportChange,
      ReportDeletion,
      ReportTransaction,
      ReportCustomer,
      ReportSubscription,
    ]),
  ],
  providers: [
    ReportConsumers,
    ReportProjectsRepository,
    ReportRollupJob,
    ReportRollupService,
    ReportRowsMetrics,
    ReportRowsRepository,
    ReportRowsService,
    ReportSourceRepository,
    ReportUpkeepJob,
  ],
  exports: [ReportConsumers, ReportRowsService],
})
export class ReportRowsModule {}
