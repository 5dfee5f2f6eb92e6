import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../platform/database/database.js';
import { eraseHistory } from '../../webhooks/events/history-lock.js';
import {
  claimErasure,
  enqueueErasure,
  eraseCustomer,
  eraseEvents,
  findLongTables,
  finishErasure,
  leavePurchases,
  leaveTransfers,
  type LongTable,
  longTableNames,
  noteErased,
  trim,
} from './erasure.sql.js';

/** How many rows of each kind an erasure removed, as the audit log names them. */
export type Erased = Record<string, number>;

/** What two parts of an erasure removed together. */
export function sumOf(before: Erased, more: Erased): Erased {
  const counts = Object.entries(more).map(([kind, count]) => [kind, (before[kind] ?? 0) + count] as const);
  return { ...before, ...Object.fromEntries(counts) };
}

export interface Erasure {
  projectId: string;
  customerId: string;
}

/** One that goes on after the transaction which deleted the customer. */
export interface UnfinishedErasure extends Erasure {
  /** As the log names the customer; null where the end is not told. */
  appUserId: string | null;
  /** Until now. */
  erased: Erased;
}

/** Removes customers from every table that knows of them. */
@Injectable()
export class ErasureRepository {
  /** All of a locked customer but the events of their own; `most`: but anything of which there may be very much. */
  async eraseCustomer(
    tx: Transaction,
    { projectId, customerId }: Erasure,
    howMuch: 'all' | 'most',
  ): Promise<Erased> {
    await tx.query(leaveTransfers, [projectId, customerId]);
    await tx.query(leavePurchases, [projectId, customerId]);
    const [erased] = await tx.query<Erased>(eraseCustomer, [projectId, customerId, howMuch === 'all']);
    if (!erased) throw new Error('an erasure always counts');
    return erased;
  }

  /** At most `limit` events; gives how many there were. */
  async eraseEvents(tx: Transaction, { projectId, customerId }: Erasure, limit: number): Promise<number> {
    await tx.query(eraseHistory, [projectId]);
    const [counted] = await tx.query<{ events: number }>(eraseEvents, [projectId, customerId, limit]);
    return counted?.events ?? 0;
  }

  /** The tables in which whoever goes by an id has more than `limit` rows; null for nobody. */
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

  /** At most `limit` rows of a customer; gives how many there were. */
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

  /** Keeps what a claimed erasure has removed until now. */
  async note(tx: Transaction, { projectId, customerId, erased }: UnfinishedErasure): Promise<void> {
    await tx.query(noteErased, [projectId, customerId, erased]);
  }

  /** Of a customer who is gone, at most `limit` rows of each kind; not complete when there may be more. */
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

  /** An unfinished erasure that no other process is at; null when there is none. */
  async claim(tx: Transaction): Promise<UnfinishedErasure | null> {
    return (await tx.query<UnfinishedErasure>(claimErasure, []))[0] ?? null;
  }

  async finish(tx: Transaction, { projectId, customerId }: Erasure): Promise<void> {
    await tx.query(finishErasure, [projectId, customerId]);
  }
}
