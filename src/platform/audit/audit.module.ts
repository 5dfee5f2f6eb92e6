import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogRow } from './audit-log.entity.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';
import { ProjectWritesService } from './project-writes.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditLogRow])],
  controllers: [AuditLogsController],
  providers: [AuditLogService, AuditLogsRepository, ProjectWritesService],
  exports: [AuditLogService, ProjectWritesService],
})
export class AuditModule {}
