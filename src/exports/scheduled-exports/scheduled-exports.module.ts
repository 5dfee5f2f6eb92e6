import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../../workspace/alerts/alerts.module.js';
import { ApiKeysModule } from '../../workspace/api-keys/api-keys.module.js';
import { MembersModule } from '../../workspace/members/members.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { DatasetsModule } from '../datasets/datasets.module.js';
import { ExportDestinationsModule } from '../destinations/export-destinations.module.js';
import { ReportRowsModule } from '../report-rows/report-rows.module.js';
import { Export } from './export.entity.js';
import { ExportRegistrations } from './export-registrations.service.js';
import { ExportScheduleJob } from './export-schedule.job.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportsService } from './exports.service.js';
import { ExportsV2Controller } from './exports.v2.controller.js';
import { ExportRun } from './runs/export-run.entity.js';
import { ExportRunMetrics } from './runs/export-run.metrics.js';
import { ExportRunnerService } from './runs/export-runner.service.js';
import { ExportRunsJob } from './runs/export-runs.job.js';
import { ExportRunsRepository } from './runs/export-runs.repository.js';
import { ExportRunsService } from './runs/export-runs.service.js';
import { ExportRunsV2Controller } from './runs/export-runs.v2.controller.js';
import { RunCompletionService } from './runs/run-completion.service.js';
import { RunEndingService } from './runs/run-ending.service.js';
import { RunTargetService } from './runs/run-target.service.js';
import { RunFilesService } from './runs/writing/run-files.service.js';
import { RunWritingService } from './runs/writing/run-writing.service.js';

/** Data sets that are delivered to destinations on a schedule, and their runs. */
@Module({
  imports: [
    AlertsModule,
    ApiKeysModule,
    DatasetsModule,
    ExportDestinationsModule,
    MembersModule,
    ProjectsModule,
    ReportRowsModule,
    TypeOrmModule.forFeature([Export, ExportRun]),
  ],
  controllers: [ExportsV2Controller, ExportRunsV2Controller],
  providers: [
    ExportRegistrations,
    ExportRunMetrics,
    ExportRunnerService,
    ExportRunsJob,
    ExportRunsRepository,
    ExportRunsService,
    ExportScheduleJob,
    ExportsRepository,
    ExportsService,
    RunCompletionService,
    RunEndingService,
    RunFilesService,
    RunTargetService,
    RunWritingService,
  ],
})
export class ScheduledExportsModule {}
