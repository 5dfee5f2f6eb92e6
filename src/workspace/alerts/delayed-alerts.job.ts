import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { jobName, runRound } from '../../platform/jobs/job-events.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ProjectAlertsService } from './project-alerts.service.js';

const JOB = jobName('delayed_alerts');
const EVERY_MS = 10 * 60_000;

/** Safe to run on several replicas at once. */
@Injectable()
export class DelayedAlertsJob {
  constructor(
    private readonly alerts: ProjectAlertsService,
    private readonly log: LogService,
  ) {}

  @Interval('delayed-alerts', EVERY_MS)
  run(): Promise<void> {
    return runRound(
      JOB,
      () => this.alerts.mailDelayed(),
      (error) => this.log.warn({ err: error }, 'delayed alert mails were not sent; they are retried'),
    );
  }
}
