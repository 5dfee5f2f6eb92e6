import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { AuditRetentionService } from './audit-retention.service.js';

const JOB = jobName('audit_retention');
const EVERY_MS = 60 * 60_000;

/** Safe to run on several replicas at once, because each organization is locked. */
@Injectable()
export class AuditRetentionJob {
  constructor(
    private readonly retention: AuditRetentionService,
    private readonly log: LogService,
  ) {}

  @Interval('audit-retention', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.retention.purge(),
      (error) => this.log.warn({ err: error }, 'old audit logs were not deleted; it is tried again later'),
    );
  }
}
