import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets/datasets.module.js';
import { ReportRowsModule } from '../report-rows/report-rows.module.js';
import { DatasetDownloadsController } from './dataset-downloads.controller.js';
import { DatasetDownloadsService } from './dataset-downloads.service.js';

/** Downloads of single data sets. */
@Module({
  imports: [DatasetsModule, ReportRowsModule],
  controllers: [DatasetDownloadsController],
  providers: [DatasetDownloadsService],
})
export class DownloadsModule {}
