import { Inject, Injectable } from '@nestjs/common';
import { type Subscription, passTime } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type CustomerRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { isRetryable } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Log } from '../../platform/observability/log.js';
import type { ChangeBuilder } from '../recording/change-builder.js';
import { subscriptionOf, ownedSubscription } from '../../customers/customers/customer-purchases.js';
import { PurchaseRecorder } from '../recording/purchase-recorder.js';
import { revokedGrant } from '../recording/revoked-grant.js';
import { reportInRealTime } from '../recording/test-store-reports.js';
import { type Claim, type DueRow, DueWorkRepository } from './due-work.repository.js';
import { AHEAD_MS, type Turn } from './project-turns.js';

/** When something is tried again that could not be done. */
const TRY_AGAIN_MS = 10 * 60_000;

export interface DueWorkDone extends Turn {
  /** Subscriptions whose state was brought up to date. */
  done: number;
  /** Customers whose subscriptions were put off. */
  failed: number;
}

/** Ends, pauses, renewals of the Test Store and whatever else time brings about: told through the engine, once. */
@Injectable()
export class DueWorkService {
  constructor(
    private readonly repository: DueWorkRepository,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Does what became due at `sinceMs` or later of the customers of a project who have waited longest, in one
   * transaction; when that fails, of each in one of its own. Somebody for whom it fails even so is put off, and the
   * others go on.
   */
  async doSome(projectId: string, sinceMs: number): Promise<DueWorkDone> {
    const nowMs = this.clock.nowMs();
    const soon = new Date(nowMs + AHEAD_MS);
    const dueAtMs = await this.repository.firstDue(projectId, new Date(sinceMs), soon);
    // Another process may have done it.
    if (dueAtMs === null || dueAtMs > nowMs) return { done: 0, failed: 0, isUnfinished: false, dueAtMs };
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(projectId);
    const due = { since: new Date(dueAtMs), now: new Date(nowMs) };
    let claimed: Claim = { customerIds: [], isFull: false, areSomeHeld: false };
    let result = { done: 0, failed: 0, isOver: true };
    try {
      result.done = await this.database.transaction(async (tx) => {
        claimed = await this.repository.claim(tx, projectId, due);
        return this.passTime(tx, catalog, claimed.customerIds);
      });
    } catch (error) {
      if (isRetryable(error) || claimed.customerIds.length === 0) throw error;
      this.log.warn({ err: error, projectId }, 'due work failed together; each customer is tried alone');
      result = await this.oneByOne(catalog, claimed.customerIds);
    }
    const { done, failed, isOver } = result;
    const isUnfinished = isOver && claimed.isFull;
    // What became due meanwhile is behind `now`.
    const isAllDone = isOver && !claimed.isFull && !claimed.areSomeHeld;
    return { done, failed, isUnfinished, dueAtMs: isAllDone ? nowMs : dueAtMs };
  }

  /** `isOver`: it came to the end of them. */
  private async oneByOne(catalog: Catalog, customerIds: string[]) {
    const { projectId } = catalog;
    const result = { done: 0, failed: 0, isOver: true };
    for (const customerId of customerIds) {
      try {
        result.done += await this.database.transaction(async (tx) =>
          this.passTime(tx, catalog, await this.repository.lockOne(tx, projectId, customerId)),
        );
      } catch (error) {
        if (isRetryable(error)) {
          this.log.warn(
            { err: error, projectId },
            'due work of a project could not go on; it is tried again',
          );
          return { ...result, isOver: false };
        }
        result.failed += 1;
        this.log.error({ err: error, projectId, customerId }, 'due work of a customer failed; it is put off');
        const nowMs = this.clock.nowMs();
        await this.repository.postpone(
          projectId,
          customerId,
          new Date(nowMs),
          new Date(nowMs + TRY_AGAIN_MS),
        );
      }
    }
    return result;
  }

  /** Brings locked customers to the present; gives how many of their subscriptions were due. */
  private async passTime(tx: Transaction, catalog: Catalog, customerIds: string[]): Promise<number> {
    if (customerIds.length === 0) return 0;
    const { projectId } = catalog;
    const nowMs = this.clock.nowMs();
    const due = await this.repository.dueOf(tx, projectId, customerIds, new Date(nowMs));
    const concerned = [...new Set(due.map(({ customerId }) => customerId))];
    const customers = await this.customers.loadLocked(tx, projectId, concerned);
    // Few of those whose time has come look at once, and many come at once.
    await this.recorder.record(tx, { catalog, nowMs, preparesAnswers: false }, (change) => {
      for (const customer of customers) this.passTimeOf(change, catalog, customer, due, nowMs);
    });
    return due.length;
  }

  private passTimeOf(
    builder: ChangeBuilder,
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
      builder.addSubscription(revokedGrant(grant, customerMs), { customer, appId: null, seenAs });
      return [];
    });
    const reportOf = (subscription: Subscription) =>
      reportInRealTime({ ...subscription, appId: appIdOf(subscription) }, catalog);
    const circumstancesOf = (subscription: Subscription) =>
      builder.circumstances(appIdOf(subscription), nowMs);
    for (const { change } of passTime(subscriptions, nowMs, { reportOf, circumstancesOf }).steps) {
      builder.addSubscription(change, {
        customer,
        appId: appIdOf(change.subscription),
        seenAs,
      });
    }
  }
}
