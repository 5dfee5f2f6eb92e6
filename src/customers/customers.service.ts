import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../libs/kernel/index.js';
import type { Executor, Transaction } from '../database/database.js';
import { isAnonymousId } from './app-user-id.js';
import { CustomerMergeRepository } from './customer-merge.repository.js';
import type { CustomerRow } from './customer-state.js';
import { type CustomerSelection, CustomersRepository, type NewCustomer } from './customers.repository.js';

const MAX_TRIES = 4;

/** Customers as other features use them. */
@Injectable()
export class CustomersService {
  constructor(
    @Inject(CustomersRepository) private readonly repository: CustomersRepository,
    @Inject(CustomerMergeRepository) private readonly merges: CustomerMergeRepository,
  ) {}

  /** One customer by any of their ids, without a lock; null when nobody goes by it. */
  find(executor: Executor, projectId: string, appUserId: string): Promise<CustomerRow | null> {
    return this.repository.find(executor, projectId, appUserId);
  }

  lock(tx: Transaction, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    return this.repository.lock(tx, projectId, wanted);
  }

  /** False when somebody goes by that id already. */
  create(executor: Executor, projectId: string, customer: NewCustomer): Promise<boolean> {
    return this.repository.create(executor, projectId, customer);
  }

  /** Gives a locked customer another id; a unique violation when somebody goes by it already. */
  addAlias(
    tx: Transaction,
    projectId: string,
    customerId: string,
    alias: { appUserId: string; isAnonymous: boolean; nowMs: number },
  ): Promise<void> {
    return this.repository.addAlias(tx, projectId, customerId, alias);
  }

  /** Locks the selected customers; the one of `appUserId` is created when nobody goes by that id. */
  async lockOrCreate(
    tx: Transaction,
    projectId: string,
    appUserId: string,
    wanted: CustomerSelection,
    nowMs: number,
  ): Promise<{ customer: CustomerRow; others: CustomerRow[] }> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const rows = await this.repository.lock(tx, projectId, wanted);
      const customer = rows.find(({ aliases }) => aliases.some((alias) => alias.appUserId === appUserId));
      if (customer) return { customer, others: rows.filter((row) => row !== customer) };
      const created = this.newcomer(appUserId, nowMs);
      const isNew = await this.repository.create(tx, projectId, {
        id: created.id,
        appUserId,
        isAnonymous: isAnonymousId(appUserId),
        nowMs,
        device: null,
      });
      if (isNew) return { customer: created, others: rows };
      // Another request created the customer meanwhile and has committed: lock theirs.
    }
    throw new Error(`customer ${appUserId} changes faster than it can be locked`);
  }

  /** Both customers must be locked. The target keeps its original id. */
  merge(tx: Transaction, projectId: string, sourceId: string, targetId: string): Promise<void> {
    return this.merges.merge(tx, projectId, sourceId, targetId);
  }

  private newcomer(appUserId: string, nowMs: number): CustomerRow {
    return {
      id: newId('customer', nowMs),
      originalAppUserId: appUserId,
      firstSeenAtMs: nowMs,
      lastSeenAtMs: null,
      lastSeenPlatform: null,
      lastSeenPlatformVersion: null,
      lastSeenAppVersion: null,
      lastSeenCountry: null,
      originalApplicationVersion: null,
      originalPurchaseAtMs: null,
      version: 1,
      eventSequence: 0,
      aliases: [{ appUserId, isAnonymous: isAnonymousId(appUserId), createdAtMs: nowMs }],
      attributes: [],
      chains: [],
      purchases: [],
    };
  }
}
