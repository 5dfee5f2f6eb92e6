import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { isGivenUp, isRetryable } from '../../platform/database/database-errors.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type AdvancingClock, ClockAdvanceRepository } from './clock-advance.repository.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { passClockTime } from './customer-steps.js';

const POLL_MS = 1_000;
const LEASE_MS = 30_000;
const SLOTS = { total: 4, perKey: 4 };
/** Maximum number of steps of one customer per transaction; the rest follow in another. */
const MAX_STEPS = 50;
/** Delay before a clock is retried because another transaction holds one of its customers. */
const AGAIN_MS = 1_000;

const failedTo = {
  claim: 'test clocks could not be claimed; the next poll tries again',
  work: 'the end of the work on a test clock was not recorded; it continues when its lease ends',
  renew: 'leases of test clocks could not be renewed',
};

/**
 * Advances the customers of clocks. Each customer's time commits together with the events up to that time, so any
 * process can continue after a crash.
 */
@Injectable()
export class TestClockJob extends LeasedWorkJob<AdvancingClock> {
  protected readonly leased: LeasedWork<AdvancingClock>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: ClockAdvanceRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.create<AdvancingClock>({
      name: 'test_clocks',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: ({ projectId }) => projectId,
      claim: (terms, { total }) => repository.claimClocks(terms, total),
      work: (advancing, lease) => this.work(advancing, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Polls immediately. Call after committing a clock's new target. */
  @Interval('test-clocks', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async work(advancing: AdvancingClock, lease: Lease): Promise<void> {
    const last: { customerId: string | null } = { customerId: null };
    const advanceOne = (): Promise<boolean> =>
      this.advanceOne(advancing, (customerId) => (last.customerId = customerId));
    try {
      while (!this.isStopping && (await advanceOne()));
      await this.repository.finish(advancing);
    } catch (error) {
      const { projectId, id } = advancing;
      this.log.error({ err: error, projectId, id }, 'a test clock could not be advanced');
      if (!isRetryable(error) && !isGivenUp(error)) await this.repository.fail(advancing, last.customerId);
    }
    const againMs = this.clock.nowMs() + (this.isStopping ? 0 : AGAIN_MS);
    await lease.record((leaseUntil) => this.repository.release(advancing, leaseUntil, new Date(againMs)));
  }

  /**
   * Advances one customer by some steps. Returns false if no available customer is behind.
   * @param claimed receives the customer's id before anything can fail because of that customer
   */
  private async advanceOne(
    advancing: AdvancingClock,
    claimed: (customerId: string) => void,
  ): Promise<boolean> {
    const { projectId, targetAtMs, plan } = advancing;
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(async (tx) => {
      const customerId = await this.repository.claim(tx, advancing);
      if (customerId === null) return false;
      claimed(customerId);
      const nowMs = this.clock.nowMs();
      for (const customer of await this.customers.loadLocked(tx, projectId, [customerId])) {
        await this.recorder.record(tx, { catalog, nowMs }, (change) =>
          passClockTime(change, customer, { catalog, plan, untilMs: targetAtMs }, MAX_STEPS),
        );
        await this.repository.setTime(tx, projectId, customerId, customer.testClockMs ?? targetAtMs);
      }
      return true;
    });
  }
}
