import { Module } from '@nestjs/common';
import { ExportSigningService } from './export-signing.service.js';
import { ExportsController } from './exports.controller.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportsService } from './exports.service.js';

/** Signed exports of audit logs and access. */
@Module({
  controllers: [ExportsController],
  providers: [ExportSigningService, ExportsRepository, ExportsService],
})
export class ExportsModule {}
