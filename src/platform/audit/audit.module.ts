import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog } from './audit-log.js';
import { AuditLogRow } from './audit-log.entity.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';
import { ProjectWrites } from './project-writes.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditLogRow])],
  controllers: [AuditLogsController],
  providers: [AuditLog, AuditLogsRepository, ProjectWrites],
  exports: [AuditLog, ProjectWrites],
})
export class AuditModule {}
