import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { TestClockMembership } from '../../support/lifecycle/test-clock-membership.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type TestClock, TestClocksRepository } from './test-clocks.repository.js';

/** Few enough to advance quickly and to delete in one transaction. */
const MAX_CUSTOMERS = 50;
/** Stores whose purchases can follow any clock, because only this server decides about them. */
const stores: readonly string[] = ['test_store', 'promotional'];

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
   * Locks a clock so that customers can be attached to it. Call before locking any customer.
   * @throws ApiError 404; 409 while the clock advances
   */
  async lockOpen(tx: Transaction, projectId: string, clockId: string, param?: string): Promise<TestClock> {
    const clock = await this.repository.lock(tx, projectId, clockId);
    if (!clock) throw ApiError.missing('test clock', clockId, param);
    if (clock.targetAtMs !== null) throw new ApiError('conflict', 'The test clock is advancing.', { param });
    return clock;
  }

  /** Does the same as `attach`, but looks up and locks the customer. @throws ApiError 404 */
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
   * Attaches a locked customer to a locked clock permanently. A customer with purchases first advances from real time.
   * Returns true if the clock must advance for that; the row is not updated.
   * @throws ApiError 422 for a customer with purchases from real stores or another clock, for a clock that is behind
   * real time, and for a clock with too many customers
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
    if (customer.testClockId !== null) refuse('The customer is attached to another test clock.');
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
