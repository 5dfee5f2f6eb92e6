import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';
import { ProjectWrites } from './project-writes.js';

@Global()
@Module({
  controllers: [AuditLogsController],
  providers: [AuditLog, AuditLogsRepository, ProjectWrites],
  exports: [AuditLog, ProjectWrites],
})
export class AuditModule {}
