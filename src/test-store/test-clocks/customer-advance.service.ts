import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { Database } from '../../platform/database/database.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase-recorder.js';
import { type AdvancingClock, ClockAdvanceRepository } from './clock-advance.repository.js';
import { passClockTime } from './customer-steps.js';

/** What happens to one customer in one transaction; then the rest of the way is another one. */
const MAX_STEPS = 50;

/** Brings the customers of a clock forward. */
@Injectable()
export class CustomerAdvanceService {
  constructor(
    private readonly repository: ClockAdvanceRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: Database,
  ) {}

  /** A part of the way of one customer. False if no customer is behind, other than those that are locked. */
  async advanceOne(advancing: AdvancingClock, nowMs: number): Promise<boolean> {
    const { projectId, targetAtMs, plan } = advancing;
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(async (tx) => {
      const customerId = await this.repository.claim(tx, advancing);
      if (customerId === null) return false;
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
