import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { isGivenUp, isRetryable } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { Log } from '../../platform/observability/log.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';
import { type AdvancingClock, ClockAdvanceRepository } from './clock-advance.repository.js';
import { passClockTime } from './customer-steps.js';

const EVERY_MS = 1_000;
/** What happens to one customer in one transaction; then the rest of the way is another one. */
const MAX_STEPS = 50;

/**
 * Brings the customers of advancing clocks forward. Each has a time of their own, which is written with what happened
 * until then: a process that dies leaves everybody at some moment of their lives, and any process goes on from there.
 */
@Injectable()
export class TestClockJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ClockAdvanceRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'test clocks could not be looked for; the next look tries again'),
      'test_clocks',
    );
  }

  /** Advances all clocks that are to be; comes back when they are where they should be, or others are at it. */
  @Interval('test-clocks', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    for (const advancing of await this.repository.advancing()) {
      try {
        // Before the transactions: a load of the catalog needs a connection of its own.
        const catalog = await this.catalogs.get(advancing.projectId);
        while (!this.loop.isStopping && (await this.slice(advancing, catalog)));
        await this.repository.finish(advancing);
      } catch (error) {
        const { projectId, id } = advancing;
        this.log.error({ err: error, projectId, id }, 'a test clock could not be advanced');
        if (!isRetryable(error) && !isGivenUp(error)) await this.repository.fail(advancing);
      }
    }
  }

  /** A part of the way of one customer; false when nobody is behind whom no other process holds. */
  private slice(advancing: AdvancingClock, catalog: Catalog): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const customerId = await this.repository.claim(tx, advancing);
      if (customerId === null) return false;
      await this.bringForward(tx, advancing, catalog, customerId);
      return true;
    });
  }

  private async bringForward(
    tx: Transaction,
    { projectId, targetAtMs, plan }: AdvancingClock,
    catalog: Catalog,
    customerId: string,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    for (const customer of await this.customers.loadLocked(tx, projectId, [customerId])) {
      await this.recorder.record(tx, { catalog, nowMs }, (change) =>
        passClockTime(change, customer, { catalog, plan, untilMs: targetAtMs }, MAX_STEPS),
      );
      await this.repository.setTime(tx, projectId, customerId, customer.testClockMs ?? targetAtMs);
    }
  }
}
