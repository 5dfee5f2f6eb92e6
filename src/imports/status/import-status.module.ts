import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportCountsJob } from './import-counts.job.js';
import { ImportCountsRepository } from './import-counts.repository.js';
import { ImportCountsRow } from './import-counts.entity.js';
import { ImportStatusController } from './import-status.controller.js';
import { ImportStatusService } from './import-status.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ImportCountsRow])],
  controllers: [ImportStatusController],
  providers: [ImportStatusService, ImportCountsRepository, ImportCountsJob],
})
export class ImportStatusModule {}
