import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';
import { type AdvancingClock, ClockAdvanceRepository } from './clock-advance.repository.js';
import { passClockTime } from './customer-steps.js';

/** Maximum number of steps of one customer per transaction; the rest follow in another. */
const MAX_STEPS = 50;

@Injectable()
export class CustomerAdvanceService {
  constructor(
    private readonly repository: ClockAdvanceRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Advances one customer by some steps. Returns false if no available customer is behind.
   * @param claimed receives the customer's id before anything can fail because of that customer
   */
  async advanceOne(
    advancing: AdvancingClock,
    readClock: () => number,
    claimed: (customerId: string) => void,
  ): Promise<boolean> {
    const { projectId, targetAtMs, plan } = advancing;
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(async (tx) => {
      const customerId = await this.repository.claim(tx, advancing);
      if (customerId === null) return false;
      claimed(customerId);
      const nowMs = readClock();
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
