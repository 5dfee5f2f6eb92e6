import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CustomersService } from '../../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { EndpointHealthRecorder } from '../circuits/endpoint-health.recorder.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import type { Wait } from './wait.js';
import { WaitingDeliveriesRepository } from './waiting-deliveries.repository.js';

@Injectable()
export class WaitingDeliveriesService {
  constructor(
    private readonly repository: WaitingDeliveriesRepository,
    private readonly customers: CustomersService,
    private readonly endpoints: EndpointHealthRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Records that a delivery waits. It is due again at once if one of the attributes has changed since it was judged.
   * Every write of an attribute locks the customer first, so with the lock held no change can be missed.
   */
  async record(delivery: ClaimedDelivery, leaseUntil: Date, wait: Wait): Promise<void> {
    await this.database.transaction(async (tx) => {
      const isWaiting = await this.isUnchanged(tx, delivery.projectId, wait);
      const dueAt = isWaiting ? null : new Date(this.clock.nowMs());
      await this.repository.record(tx, delivery, leaseUntil, wait, dueAt);
      await this.endpoints.release(tx, delivery);
    });
  }

  /** False also for a customer who was merged into another one. */
  private async isUnchanged(
    tx: Transaction,
    projectId: string,
    { customerId, attributes }: Wait,
  ): Promise<boolean> {
    const names = [...attributes.keys()];
    const current = await this.customers.lockAttributes(tx, projectId, customerId, names);
    return current !== null && names.every((name) => (current.get(name) ?? null) === attributes.get(name));
  }
}
