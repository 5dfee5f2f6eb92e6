import type { CustomerRow } from '../../customers/customers/customer-state.js';
import type { Transaction } from '../../platform/database/database.service.js';

/** How a new customer comes to live by a test clock. The test-store area provides it. */
export abstract class TestClockMembership {
  /**
   * Locks a clock, which comes before any customer, and returns what attaches a locked customer to it for good.
   * @throws ApiError 404; 409 while it advances. Attaching throws 422 when the clock has too many customers.
   */
  abstract lockForNewCustomer(
    tx: Transaction,
    projectId: string,
    clockId: string,
  ): Promise<(customer: CustomerRow) => Promise<void>>;
}
