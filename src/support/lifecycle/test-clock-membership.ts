import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { Transaction } from '../../platform/database/database.service.js';

/** Attaches new customers to test clocks. Implemented by the test-store area. */
export abstract class TestClockMembership {
  /**
   * Locks a clock, before any customer, and returns a function that permanently attaches a locked customer to it.
   * @throws ApiError 404; 409 while it is advancing. The returned function throws 422 if the clock has too many
   * customers
   */
  abstract lockForNewCustomer(
    tx: Transaction,
    projectId: string,
    clockId: string,
  ): Promise<(customer: CustomerRow) => Promise<void>>;
}
