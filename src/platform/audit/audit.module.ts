import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { AuditLogsRepository } from './audit-logs.repository.js';

@Global()
@Module({
  controllers: [AuditLogsController],
  providers: [AuditLog, AuditLogsRepository],
  exports: [AuditLog],
})
export class AuditModule {}
