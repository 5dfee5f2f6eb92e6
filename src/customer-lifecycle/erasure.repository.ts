import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { eraseHistory } from '../events/history-lock.js';
import {
  claimErasure,
  enqueueErasure,
  eraseCustomer,
  eraseEvents,
  finishErasure,
  leavePurchases,
  leaveTransfers,
} from './erasure.sql.js';

/** How many rows of each kind an erasure removed, as the audit log names them. */
type Erased = Record<string, number>;

export interface Erasure {
  projectId: string;
  customerId: string;
}

/** Removes customers from every table that knows of them. */
@Injectable()
export class ErasureRepository {
  /** All of a locked customer but the events of their own. */
  async eraseCustomer(tx: Transaction, { projectId, customerId }: Erasure): Promise<Erased> {
    await tx.query(leaveTransfers, [projectId, customerId]);
    await tx.query(leavePurchases, [projectId, customerId]);
    const [erased] = await tx.query<Erased>(eraseCustomer, [projectId, customerId]);
    if (!erased) throw new Error('an erasure always counts');
    return erased;
  }

  /** At most `limit` events; gives how many there were. */
  async eraseEvents(tx: Transaction, { projectId, customerId }: Erasure, limit: number): Promise<number> {
    await tx.query(eraseHistory, [projectId]);
    const [counted] = await tx.query<{ events: number }>(eraseEvents, [projectId, customerId, limit]);
    return counted?.events ?? 0;
  }

  async enqueue(tx: Transaction, { projectId, customerId }: Erasure, now: Date): Promise<void> {
    await tx.query(enqueueErasure, [projectId, customerId, now]);
  }

  /** An unfinished erasure that no other process is at; null when there is none. */
  async claim(tx: Transaction): Promise<Erasure | null> {
    return (await tx.query<Erasure>(claimErasure, []))[0] ?? null;
  }

  async finish(tx: Transaction, { projectId, customerId }: Erasure): Promise<void> {
    await tx.query(finishErasure, [projectId, customerId]);
  }
}
