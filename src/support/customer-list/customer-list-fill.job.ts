import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ListedCustomersRepository } from './listed-customers.repository.js';

const EVERY_MS = 30_000;
/** Customers per transaction. Their purchases wait for it. */
const BATCH = 200;

/**
 * Lists the customers from before an upgrade. Each batch is one transaction that locks the project's position, so any
 * process can continue where another stopped.
 */
@Injectable()
export class CustomerListFillJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ListedCustomersRepository,
    private readonly customers: CustomersQueryService,
    private readonly database: DatabaseService,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      async () => {
        while (!this.loop.isStopping && (await this.batch()));
      },
      (error) => log.error({ err: error }, 'earlier customers could not be listed; the next round retries'),
      'customer_list_fill',
    );
  }

  @Interval('customer-list-fill', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  /** Returns false if no project has customers left. */
  private batch(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const claimed = await this.repository.claimFill(tx);
      if (claimed === null) return false;
      const { projectId, after } = claimed;
      const ids = await this.customers.lockBehind(tx, projectId, after, BATCH);
      if (ids.length > 0) await this.repository.fill(tx, projectId, ids);
      await this.repository.continueFill(tx, projectId, ids.length < BATCH ? null : (ids.at(-1) ?? null));
      return true;
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
