import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DatabaseService } from '../../platform/database/database.service.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ReportConsumers } from './report-consumers.service.js';
import { ReportProjectsRepository, type UsedProject } from './report-projects.repository.js';

const EVERY_MS = 3_600_000;
const UNUSED_DAYS = 30;
const DELETIONS_DAYS = 90;
const BATCH_ROWS = 1_000;

/** Deletes report rows that nothing has read for a while, and old deletions. */
@Injectable()
export class ReportUpkeepJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly projects: ReportProjectsRepository,
    private readonly consumers: ReportConsumers,
    private readonly database: DatabaseService,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'the upkeep of report rows failed; the next one retries'),
      'report_upkeep',
    );
  }

  @Interval('report-upkeep', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    for (const project of await this.projects.usedProjects(UNUSED_DAYS)) {
      if (this.loop.isStopping) return;
      await this.upkeep(project);
    }
  }

  private async upkeep({ projectId, enabled, isAbandoned }: UsedProject): Promise<void> {
    const isUsed = enabled && (await this.consumers.isUsed(this.database, projectId));
    if (enabled) await this.projects.setUse(projectId, isUsed);
    if (isUsed || (enabled && !isAbandoned)) {
      await this.projects.deleteOldDeletions(projectId, DELETIONS_DAYS);
      return;
    }
    await this.projects.disable(projectId, UNUSED_DAYS);
    const deleteSome = (): Promise<boolean> =>
      this.database.transaction((tx) => this.projects.deleteSome(tx, projectId, BATCH_ROWS));
    while (!this.loop.isStopping && (await deleteSome()));
  }
}
