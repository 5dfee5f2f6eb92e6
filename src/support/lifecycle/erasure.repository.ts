import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { customerSessionsChanged } from '../../platform/auth/customer-tokens/customer-token-cache.service.js';
import { renewalValues } from '../../platform/jobs/app-queues.sql.js';
import { leaseEach } from '../../platform/jobs/small-queue.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { changeCustomerRows, customerRowSteps } from '../../customers/customers/identity/customer-rows.js';
import { CUSTOMERS_CHANGED, customersChanged } from '../../customers/customers/identity/customers-changed.js';
import { eraseHistory } from '../../webhooks/events/history-lock.sql.js';
import {
  claimErasure,
  enqueueErasure,
  erasureLeases,
  eraseEvents,
  findLongTables,
  finishErasure,
  freeErasures,
  holdErasure,
  leaveDeliveries,
  leavePurchases,
  leaveTransfers,
  type LongTable,
  longTableNames,
  recordErased,
  renewErasures,
  trim,
} from './erasure.sql.js';

/** Number of rows of each kind that an erasure removed, as named in the audit log. */
export type Erased = Record<string, number>;

export function sumOf(before: Erased, more: Erased): Erased {
  const counts = Object.entries(more).map(([kind, count]) => [kind, (before[kind] ?? 0) + count] as const);
  return { ...before, ...Object.fromEntries(counts) };
}

export interface Erasure {
  projectId: string;
  customerId: string;
}

/** An erasure that continues after the transaction that deleted the customer. */
export interface UnfinishedErasure extends Erasure {
  /** The customer's id for the audit log; null if completion is not audited. */
  appUserId: string | null;
  erased: Erased;
}

export type ClaimedErasure = Omit<UnfinishedErasure, 'erased'> & LeasedItem;

@Injectable()
export class ErasureRepository implements OnModuleInit {
  constructor(private readonly database: DatabaseService) {}

  /** A missing step stops the start. */
  onModuleInit(): void {
    customerRowSteps('erase');
  }

  /**
   * Erases a locked customer except their own events. Purchases that now belong to others keep their transfer records,
   * without the deleted customer's ids. `most` also leaves rows that may be very many: currency transactions and
   * renewals. Other ledger entries would block the same purchases posted again.
   */
  async eraseCustomer(
    tx: Transaction,
    { projectId, customerId }: Erasure,
    howMuch: 'all' | 'most',
  ): Promise<Erased> {
    await tx.query(leaveDeliveries, [projectId, customerId]);
    await tx.query(leaveTransfers, [projectId, customerId]);
    await tx.query(leavePurchases, [projectId, customerId]);
    const erased = await changeCustomerRows(tx, 'erase', [projectId, customerId, howMuch === 'all']);
    const sum = (...steps: string[]): number =>
      steps.reduce((total, step) => total + (erased.get(step) ?? 0), 0);
    await customerSessionsChanged(tx, projectId);
    await tx.notify(CUSTOMERS_CHANGED, customersChanged(projectId, []));
    return {
      aliases: sum('aliases'),
      attributes: sum('attributes'),
      subscriptions: sum('subscriptions'),
      purchases: sum('one_time'),
      transactions: sum('subscription_money', 'one_time_money'),
      currency_transactions: sum('currencies'),
      sdk_events: sum('sdk_events'),
    };
  }

  /** Erases at most `limit` events; returns their number. */
  async eraseEvents(tx: Transaction, { projectId, customerId }: Erasure, limit: number): Promise<number> {
    await tx.query(eraseHistory, [projectId]);
    const [counted] = await tx.query<{ events: number }>(eraseEvents, [projectId, customerId, limit]);
    return counted?.events ?? 0;
  }

  /** The tables in which a customer has more than `limit` rows; null if there is no such customer. */
  async longTables(
    executor: Executor,
    projectId: string,
    appUserId: string,
    limit: number,
  ): Promise<{ customerId: string; tables: LongTable[] } | null> {
    const values = [projectId, appUserId, limit];
    const [row] = await executor.query<Record<LongTable, boolean> & { customerId: string }>(
      findLongTables,
      values,
    );
    return row ? { customerId: row.customerId, tables: longTableNames.filter((name) => row[name]) } : null;
  }

  /** Removes at most `limit` rows of a customer; returns their number. */
  async trim(
    executor: Executor,
    { projectId, customerId }: Erasure,
    table: LongTable,
    limit: number,
  ): Promise<number> {
    return (await executor.query(trim[table], [projectId, customerId, limit])).length;
  }

  async enqueue(tx: Transaction, erasure: UnfinishedErasure, now: Date): Promise<void> {
    const { projectId, customerId, appUserId, erased } = erasure;
    await tx.query(enqueueErasure, [projectId, customerId, now, appUserId, erased]);
  }

  async recordErased(tx: Transaction, { projectId, customerId }: Erasure, erased: Erased): Promise<void> {
    await tx.query(recordErased, [projectId, customerId, erased]);
  }

  /** Removes at most `limit` rows of each kind of a deleted customer. Not complete if there may be more. */
  async eraseRest(
    tx: Transaction,
    erasure: Erasure,
    limit: number,
  ): Promise<{ erased: Erased; isComplete: boolean }> {
    const erased: Erased = {};
    for (const table of longTableNames) {
      const removed = await this.trim(tx, erasure, table, limit);
      if (removed > 0) erased[table] = removed;
      if (removed === limit) return { erased, isComplete: false };
    }
    const events = await this.eraseEvents(tx, erasure, limit);
    return { erased: { ...erased, events }, isComplete: events < limit };
  }

  async claim(terms: LeaseTerms, limit: number): Promise<ClaimedErasure[]> {
    const free = await this.database.query<Erasure>(freeErasures, [limit]);
    const keys = free.map(({ projectId, customerId }) => [projectId, customerId]);
    return leaseEach(this.database, claimErasure, keys, terms);
  }

  async renew(held: HeldItem<ClaimedErasure>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(
      renewErasures,
      renewalValues(erasureLeases, held, terms),
    );
    return rows[0]?.leaseUntil ?? null;
  }

  /** Locks a claimed erasure. Returns what has been removed so far, or null if another process has claimed it since. */
  async hold(tx: Transaction, { projectId, customerId }: Erasure, leaseUntil: Date): Promise<Erased | null> {
    const rows = await tx.query<{ erased: Erased }>(holdErasure, [projectId, customerId, leaseUntil]);
    return rows[0]?.erased ?? null;
  }

  async finish(tx: Transaction, { projectId, customerId }: Erasure): Promise<void> {
    await tx.query(finishErasure, [projectId, customerId]);
  }
}
