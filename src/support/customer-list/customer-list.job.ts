import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RequestsFirst } from '../../platform/jobs/requests-first.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ListedCustomersRepository } from './listed-customers.repository.js';
import { ListedCustomersService } from './listed-customers.service.js';

const EVERY_MS = 2_000;
/** Requests delay a pass at most this long. Lists compute the rows of recent changes themselves. */
const MAX_WAIT_MS = 30_000;

/** Lists changed customers, then those from before an upgrade, one project after another. */
@Injectable()
export class CustomerListJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly requestsFirst = new RequestsFirst(MAX_WAIT_MS);

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
  async wake(): Promise<void> {
    if (!this.requestsFirst.hasToWait()) await this.loop.wake();
  }

  /** Lists everything present now. */
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
    this.requestsFirst.worked();
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
