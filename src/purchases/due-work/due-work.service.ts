import { Inject, Injectable } from '@nestjs/common';
import { passTime, type Subscription } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import {
  ownedSubscription,
  subscriptionOf,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { isRetryable } from '../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { revokeGrant } from '../recording/apply-purchases.js';
import type { ChangeBuilder } from '../recording/change-builder.js';
import { PurchaseRecorder } from '../recording/purchase.recorder.js';
import { reportInRealTime } from '../recording/test-store-reports.js';
import { type Claim, type DueRow, DueWorkRepository } from './due-work.repository.js';
import { AHEAD_MS, type Poll, PROJECTS_PER_POLL, type BatchResult } from './project-poller.js';

/** Delay of a customer's work after an error. */
const TRY_AGAIN_MS = 10 * 60_000;

export interface DueWorkDone extends BatchResult {
  /** Number of updated subscriptions. */
  done: number;
  /** Customers whose subscriptions were postponed. */
  failed: number;
}

/** Applies the effects of time (expirations, pauses, Test Store renewals) through the engine, exactly once. */
@Injectable()
export class DueWorkService {
  constructor(
    private readonly repository: DueWorkRepository,
    private readonly catalogs: CatalogService,
    private readonly customers: CustomersService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  nextProjects(after: string): Promise<Poll> {
    return this.repository.poll(new Date(this.clock.nowMs() + AHEAD_MS), after, PROJECTS_PER_POLL);
  }

  /** Processes one batch in one transaction. If that fails, retries each customer separately and postpones failures. */
  async processBatch(projectId: string, sinceMs: number): Promise<DueWorkDone> {
    const nowMs = this.clock.nowMs();
    const soon = new Date(nowMs + AHEAD_MS);
    const dueAtMs = await this.repository.firstDue(projectId, new Date(sinceMs), soon);
    // Another process may have processed it.
    if (dueAtMs === null || dueAtMs > nowMs) return { done: 0, failed: 0, isUnfinished: false, dueAtMs };
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(projectId);
    const due = { since: new Date(dueAtMs), now: new Date(nowMs) };
    let claimed: Claim = { customerIds: [], isFull: false, areSomeHeld: false };
    let result = { done: 0, failed: 0, isOver: true };
    try {
      result.done = await this.passTime(catalog, async (tx) => {
        claimed = await this.repository.claim(tx, projectId, due);
        return claimed.customerIds;
      });
    } catch (error) {
      if (isRetryable(error) || claimed.customerIds.length === 0) throw error;
      this.log.warn({ err: error, projectId }, 'due work of a batch failed; each customer is tried alone');
      result = await this.processOneByOne(catalog, claimed.customerIds);
    }
    const { done, failed, isOver } = result;
    const isUnfinished = isOver && claimed.isFull;
    // Anything that became due in the meantime is later than `now`.
    const isAllDone = isOver && !claimed.isFull && !claimed.areSomeHeld;
    return { done, failed, isUnfinished, dueAtMs: isAllDone ? nowMs : dueAtMs };
  }

  /** `isOver`: no retryable error ended it early. */
  private async processOneByOne(catalog: Catalog, customerIds: string[]) {
    const { projectId } = catalog;
    const result = { done: 0, failed: 0, isOver: true };
    for (const customerId of customerIds) {
      try {
        result.done += await this.passTime(catalog, (tx) =>
          this.repository.lockOne(tx, projectId, customerId),
        );
      } catch (error) {
        if (isRetryable(error)) {
          this.log.warn({ err: error, projectId }, 'due work of a project stopped early; it is retried');
          return { ...result, isOver: false };
        }
        result.failed += 1;
        this.log.error(
          { err: error, projectId, customerId },
          'due work of a customer failed; it is postponed',
        );
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

  /** Updates the customers that `lock` returns to the current time. Returns the number of due subscriptions. */
  private passTime(catalog: Catalog, lock: (tx: Transaction) => Promise<string[]>): Promise<number> {
    return this.database.transaction(async (tx) => this.passTimeIn(tx, catalog, await lock(tx)));
  }

  private async passTimeIn(tx: Transaction, catalog: Catalog, customerIds: string[]): Promise<number> {
    if (customerIds.length === 0) return 0;
    const { projectId } = catalog;
    const nowMs = this.clock.nowMs();
    const due = await this.repository.dueOf(tx, projectId, customerIds, new Date(nowMs));
    const concerned = [...new Set(due.map(({ customerId }) => customerId))];
    const customers = await this.customers.loadLocked(tx, projectId, concerned);
    // Many subscriptions become due at once, but few of their customers read soon afterwards.
    await this.recorder.record(tx, { catalog, nowMs, preparesAnswers: false }, (change) => {
      for (const customer of customers) this.passTimeOfCustomer(change, catalog, customer, due, nowMs);
    });
    return due.length;
  }

  private passTimeOfCustomer(
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
