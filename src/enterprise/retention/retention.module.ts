import { Module } from '@nestjs/common';
import { AuditRetentionJob } from './audit-retention.job.js';
import { AuditRetentionRepository } from './audit-retention.repository.js';
import { AuditRetentionService } from './audit-retention.service.js';

/** Retention of audit logs. */
@Module({ providers: [AuditRetentionJob, AuditRetentionRepository, AuditRetentionService] })
export class RetentionModule {}
