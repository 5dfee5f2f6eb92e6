import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { CustomerCountsRepository } from './customer-counts.repository.js';

const EVERY_MS = 5_000;
/** Changes per statement. */
const BATCH = 5_000;

/** Adds changes to the daily counts of customers. Requests never wait for it, because they add pending changes. */
@Injectable()
export class CustomerCountsJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: CustomerCountsRepository,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'the daily counts of customers failed; the next round retries'),
      'customer_counts',
    );
  }

  @Interval('customer-counts', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    let projectId = await this.repository.nextProject('');
    while (projectId !== null && !this.loop.isStopping) {
      const folded = await this.repository.fold(projectId, BATCH);
      if (folded < BATCH) projectId = await this.repository.nextProject(projectId);
    }
  }
}
