import { Inject, Injectable } from '@nestjs/common';
import { passTime, type Subscription } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  ownedSubscription,
  subscriptionOf,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import type { ChangeBuilder } from '../recording/change-builder.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';
import { revokeGrant } from '../recording/apply-purchases.js';
import { reportInRealTime } from '../recording/test-store-reports.js';
import { type DueRow, DueWorkRepository } from './due-work.repository.js';

@Injectable()
export class DueSubscriptionsService {
  constructor(
    private readonly repository: DueWorkRepository,
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Updates the customers that `lock` returns to the current time. Returns the number of due subscriptions. */
  passTime(catalog: Catalog, lock: (tx: Transaction) => Promise<string[]>): Promise<number> {
    return this.database.transaction(async (tx) => this.passTimeOfAll(tx, catalog, await lock(tx)));
  }

  private async passTimeOfAll(tx: Transaction, catalog: Catalog, customerIds: string[]): Promise<number> {
    if (customerIds.length === 0) return 0;
    const { projectId } = catalog;
    const nowMs = this.clock.nowMs();
    const due = await this.repository.dueOf(tx, projectId, customerIds, new Date(nowMs));
    const concerned = [...new Set(due.map(({ customerId }) => customerId))];
    const customers = await this.customers.loadLocked(tx, projectId, concerned);
    // Many subscriptions become due at once, but few of their customers read soon afterwards.
    await this.recorder.record(tx, { catalog, nowMs, preparesAnswers: false }, (change) => {
      for (const customer of customers) this.passTimeOf(change, catalog, customer, due, nowMs);
    });
    return due.length;
  }

  private passTimeOf(
    change: ChangeBuilder,
    catalog: Catalog,
    customer: CustomerRow,
    due: DueRow[],
    nowMs: number,
  ): void {
    const appIds = new Map(customer.subscriptions.map(({ id, appId }) => [id, appId]));
    const appIdOf = ({ id }: Subscription): string | null => appIds.get(id) ?? null;
    const seenAs = customer.originalAppUserId;
    const customerMs = timeOf(customer, nowMs);
    const subscriptions = due.flatMap(({ subscriptionId, dueAtMs, grantsNothing }) => {
      const row = customer.subscriptions.find(({ id }) => id === subscriptionId);
      if (!row) return [];
      const grant = grantsNothing ? ownedSubscription(row, customerMs) : null;
      if (!grant?.state.givesAccess) return [{ subscription: subscriptionOf(row), dueAtMs }];
      change.addSubscription(revokeGrant(grant, customerMs), { customer, appId: null, seenAs });
      return [];
    });
    const reportOf = (subscription: Subscription) =>
      reportInRealTime({ ...subscription, appId: appIdOf(subscription) }, catalog);
    const circumstancesOf = (subscription: Subscription) =>
      change.circumstances(appIdOf(subscription), nowMs);
    for (const { change: applied } of passTime(subscriptions, nowMs, { reportOf, circumstancesOf }).steps) {
      change.addSubscription(applied, {
        customer,
        appId: appIdOf(applied.subscription),
        seenAs,
      });
    }
  }
}
