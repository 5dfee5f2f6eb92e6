import { Module } from '@nestjs/common';
import { DatasetsModule } from './datasets/datasets.module.js';
import { ExportDestinationsModule } from './destinations/export-destinations.module.js';
import { DownloadsModule } from './downloads/downloads.module.js';
import { ReportRowsModule } from './report-rows/report-rows.module.js';
import { ScheduledExportsModule } from './scheduled-exports/scheduled-exports.module.js';
import { SqlUsersModule } from './sql-users/sql-users.module.js';

/** Data of a project for other tools: files, downloads and SQL. Paths of exports come last, because they take any name. */
@Module({
  imports: [
    ReportRowsModule,
    DatasetsModule,
    DownloadsModule,
    SqlUsersModule,
    ExportDestinationsModule,
    ScheduledExportsModule,
  ],
})
export class ExportsAreaModule {}
