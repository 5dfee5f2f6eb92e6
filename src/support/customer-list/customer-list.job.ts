import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ListedCustomersRepository } from './listed-customers.repository.js';
import { ListedCustomersService } from './listed-customers.service.js';

const EVERY_MS = 2_000;

/** Lists changed customers, then those from before an upgrade, one project after another. */
@Injectable()
export class CustomerListJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ListedCustomersRepository,
    private readonly listed: ListedCustomersService,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.pass(),
      (error) => log.error({ err: error }, 'customers could not be listed; the next pass retries'),
      'customer_list',
    );
  }

  @Interval('customer-list', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  private async pass(): Promise<void> {
    await this.each(
      (after) => this.repository.nextChanged(after),
      (id) => this.listed.listChanged(id),
    );
    await this.each(
      (after) => this.repository.nextFill(after),
      (id) => this.listed.listEarlier(id),
    );
  }

  private async each(
    next: (after: string) => Promise<string | null>,
    batch: (projectId: string) => Promise<boolean>,
  ): Promise<void> {
    for (let projectId = await next(''); projectId !== null; projectId = await next(projectId))
      while (!this.loop.isStopping && (await batch(projectId)));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
