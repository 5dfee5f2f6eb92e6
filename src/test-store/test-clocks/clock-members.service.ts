import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import type { Transaction } from '../../platform/database/database.js';
import { TestClockMembership } from '../../support/lifecycle/test-clock-membership.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

/** Few enough to be advanced soon and deleted together. */
const MAX_CUSTOMERS = 50;
/** Stores whose purchases can live by any clock: nobody else has an opinion about them. */
const stores: readonly string[] = ['test_store', 'promotional'];

/** The customers who live by test clocks. */
@Injectable()
export class ClockMembersService extends TestClockMembership {
  constructor(
    private readonly repository: TestClocksRepository,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  async lockForNewCustomer(
    tx: Transaction,
    projectId: string,
    clockId: string,
  ): Promise<(customer: CustomerRow) => Promise<void>> {
    const clock = await this.lockOpen(tx, projectId, clockId, 'test_clock_id');
    return async (customer) => void (await this.attach(tx, projectId, clock, customer, 'test_clock_id'));
  }

  /**
   * Locks a clock that customers may be attached to. Before any customer.
   * @throws ApiError 404; 409 while it advances
   */
  async lockOpen(tx: Transaction, projectId: string, clockId: string, param?: string): Promise<TestClock> {
    const clock = await this.repository.lock(tx, projectId, clockId);
    if (!clock) throw ApiError.missing('test clock', clockId, param);
    if (clock.targetAtMs !== null)
      throw new ApiError('conflict', 'The test clock has not arrived yet.', { param });
    return clock;
  }

  /** As `attach`, of the customer with an app user id, locked here. @throws ApiError 404 */
  async attachNamed(
    tx: Transaction,
    projectId: string,
    clock: TestClock,
    appUserId: string,
  ): Promise<{ customer: CustomerRow; advances: boolean }> {
    const customer = await this.customers.lockExisting(tx, projectId, appUserId, 'customer_id');
    return { customer, advances: await this.attach(tx, projectId, clock, customer, 'customer_id') };
  }

  /**
   * Lets a locked customer live by a locked clock, for good. With purchases, they are brought forward from the real
   * time first. True when the clock has to advance for that; the row is not brought up to date.
   * @throws ApiError 422 for purchases of real stores or a clock that goes back, for who has another clock, and when the
   *   clock has too many customers
   */
  async attach(
    tx: Transaction,
    projectId: string,
    clock: TestClock,
    customer: CustomerRow,
    param: 'customer_id' | 'test_clock_id',
  ): Promise<boolean> {
    const refuse = (message: string): never => {
      throw new ApiError('impossible', message, { param });
    };
    if (customer.testClockId === clock.id) return false;
    if (clock.customerIds.length >= MAX_CUSTOMERS) {
      refuse(`A test clock has at most ${MAX_CUSTOMERS} customers.`);
    }
    if (customer.testClockId !== null) refuse('The customer lives by another test clock.');
    const purchases = [...customer.subscriptions, ...customer.purchases];
    if (purchases.some(({ store }) => !stores.includes(store))) {
      refuse('The customer has purchases of a real store, whose time is the real one.');
    }
    const nowMs = this.clock.nowMs();
    if (purchases.length > 0 && clock.frozenAtMs < nowMs) {
      refuse('The customer has purchases, and the clock is behind the real time.');
    }
    const hasPast = customer.subscriptions.length > 0 && nowMs < clock.frozenAtMs;
    const atMs = hasPast ? nowMs : clock.frozenAtMs;
    await this.repository.attach(tx, projectId, { customerId: customer.id, clockId: clock.id, atMs });
    if (hasPast) await this.repository.setTarget(tx, projectId, clock.id, clock.frozenAtMs);
    return hasPast;
  }
}
