import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DatabaseService } from '../../platform/database/database.service.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';
import { RollupRepository } from './rollup.repository.js';

const EVERY_MS = 5_000;
/** Purchases per transaction. */
const BATCH = 500;
/** Customer-day changes per statement. */
const CUSTOMERS_BATCH = 5_000;

/**
 * Updates the daily figures. One transaction locks the project's row, deletes a batch of marks and writes their
 * figures. A crash leaves both unchanged, and any number of processes share the projects. Requests never wait for it,
 * because they add pending changes themselves.
 */
@Injectable()
export class MetricsRollupJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: RollupRepository,
    private readonly customers: CustomerCountsRepository,
    private readonly database: DatabaseService,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'the rollup of metrics failed; the next one retries'),
      'metrics_rollup',
    );
  }

  @Interval('metrics-rollup', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    await this.repository.registerProjects();
    while (!this.loop.isStopping && (await this.batch()));
    await this.foldCustomers();
  }

  private async foldCustomers(): Promise<void> {
    let projectId = await this.customers.nextProject('');
    while (projectId !== null && !this.loop.isStopping) {
      const folded = await this.customers.fold(projectId, CUSTOMERS_BATCH);
      if (folded < CUSTOMERS_BATCH) projectId = await this.customers.nextProject(projectId);
    }
  }

  /** Returns false if there was no work. */
  private batch(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const projectId = await this.repository.claimProject(tx);
      if (projectId === null) return false;
      const purchaseIds = await this.repository.takeMarks(tx, projectId, BATCH);
      const changes = await this.repository.changesOf(tx, projectId, purchaseIds);
      await this.repository.apply(tx, projectId, changes);
      return true;
    });
  }
}
