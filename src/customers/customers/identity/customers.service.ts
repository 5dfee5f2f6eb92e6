import { Injectable } from '@nestjs/common';
import { utcDay } from '../../../../libs/kernel/index.js';
import type { CustomerIdentity } from '../../../platform/auth/customer-tokens/customer-identity.js';
import { ConcurrentChange } from '../../../platform/database/database-errors.js';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { IdempotentRequestsService } from '../../../platform/idempotency/idempotent-requests.service.js';
import { CustomerMergeRepository } from './customer-merge.repository.js';
import type { CustomerRow } from './customer-state.js';
import {
  type CustomerSelection,
  type ImportedFields,
  type NewAlias,
  CustomersRepository,
  newCustomer,
  newCustomerRow,
} from './customers.repository.js';
import type { Device } from '../last-seen/device.js';
import { LastSeenRecorder } from '../last-seen/last-seen.recorder.js';

const MAX_TRIES = 4;

/** When an app was first installed or bought, according to its store; null if the store does not report it. */
export interface FirstInstallation {
  originalApplicationVersion: string | null;
  originalPurchaseAtMs: number | null;
}

/** An app user id in a request, possibly of a new customer. */
export interface Newcomer {
  appUserId: string;
  device: Device | null;
}

export function hasAppUserId({ aliases }: CustomerRow, appUserId: string): boolean {
  return aliases.some((alias) => alias.appUserId === appUserId);
}

@Injectable()
export class CustomersService implements CustomerIdentity {
  constructor(
    private readonly repository: CustomersRepository,
    private readonly merges: CustomerMergeRepository,
    private readonly lastSeen: LastSeenRecorder,
    private readonly requests: IdempotentRequestsService,
  ) {}

  /** One customer by any of their ids, without a lock; null if there is none. */
  find(projectId: string, appUserId: string, tx?: Transaction): Promise<CustomerRow | null> {
    return this.repository.find(projectId, appUserId, tx);
  }

  /** The customer's own id for any of their app user ids; null if no customer has it. */
  async idOf(projectId: string, appUserId: string): Promise<string | null> {
    return (await this.repository.idsOf(projectId, [appUserId])).get(appUserId) ?? null;
  }

  async areOne(projectId: string, appUserIds: readonly string[]): Promise<boolean> {
    const ids = await this.repository.idsOf(projectId, appUserIds);
    return new Set(appUserIds.map((appUserId) => ids.get(appUserId))).size === 1 && ids.size > 0;
  }

  /** The selected customers, without a lock. */
  select(executor: Executor, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    return this.repository.select(executor, projectId, wanted);
  }

  lock(tx: Transaction, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    return this.repository.lock(tx, projectId, wanted);
  }

  /** Loads customers that the transaction has already locked, by their own ids. */
  loadLocked(tx: Transaction, projectId: string, customerIds: string[]): Promise<CustomerRow[]> {
    return this.repository.loadByIds(projectId, customerIds, tx);
  }

  /** Customers by their own ids, without a lock. Ids of merged customers are unknown. */
  findByIds(projectId: string, customerIds: string[]): Promise<CustomerRow[]> {
    return this.repository.loadByIds(projectId, customerIds);
  }

  /**
   * The values of some attributes of a customer, by the customer's own id. Until the transaction ends, no change of the
   * customer commits. Null if the customer was merged or deleted.
   */
  lockAttributes(
    tx: Transaction,
    projectId: string,
    customerId: string,
    names: string[],
  ): Promise<Map<string, string> | null> {
    return this.repository.lockAttributes(tx, projectId, customerId, names);
  }

  /** Locks a customer and returns only the id; null if no customer has the app user id. */
  lockId(tx: Transaction, projectId: string, appUserId: string): Promise<string | null> {
    return this.repository.lockId(tx, projectId, appUserId);
  }

  /** Returns false if the id is in use. */
  async create(
    tx: Transaction,
    projectId: string,
    appUserId: string,
    device: Device | null,
    nowMs: number,
  ): Promise<boolean> {
    const created = newCustomer(appUserId, device, nowMs);
    if (!(await this.repository.create(projectId, [created], nowMs, tx)).has(created.id)) return false;
    if (device) this.lastSeen.recordDay(projectId, created.id, null, nowMs);
    return true;
  }

  /** Adds another id to a locked customer. Throws a unique violation if the id is in use. */
  addAlias(
    tx: Transaction,
    projectId: string,
    customerId: string,
    alias: { appUserId: string; isAnonymous: boolean; nowMs: number },
  ): Promise<void> {
    return this.repository.addAlias(tx, projectId, customerId, alias);
  }

  /**
   * Adds ids to locked customers. Returns those of the ids that are blocked.
   * @throws ConcurrentChange if another request has used one of the ids in the meantime
   */
  async addAliases(
    tx: Transaction,
    projectId: string,
    aliases: NewAlias[],
    nowMs: number,
  ): Promise<Set<string>> {
    if (aliases.length === 0) return new Set();
    const added = await this.repository.addAliases(tx, projectId, aliases, nowMs);
    if (added < aliases.length) throw new ConcurrentChange('an app user id was taken meanwhile');
    const ids = aliases.map(({ appUserId }) => appUserId);
    return this.repository.blockedAmong(tx, projectId, ids);
  }

  async setImported(tx: Transaction, projectId: string, customers: ImportedFields[]): Promise<void> {
    if (customers.length > 0) await this.repository.setImported(tx, projectId, customers);
  }

  /** Counts locked customers as active on the days of these contacts. */
  /** UTC days (`YYYY-MM-DD`) on which a customer was seen between two times. */
  daysSeen(projectId: string, customerId: string, fromMs: number, toMs: number): Promise<string[]> {
    return this.lastSeen.daysSeen(projectId, customerId, fromMs, toMs);
  }

  async recordActiveDays(
    tx: Transaction,
    projectId: string,
    contacts: { customerId: string; atMs: number }[],
  ): Promise<void> {
    const days = contacts.map(({ customerId, atMs }) => ({ projectId, customerId, day: utcDay(atMs) }));
    if (days.length > 0) await this.lastSeen.recordDays(tx, projectId, days);
  }

  /** Sets a locked customer's current offering; null restores the project's. */
  overrideOffering(
    tx: Transaction,
    projectId: string,
    customerId: string,
    offeringId: string | null,
  ): Promise<void> {
    return this.repository.overrideOffering(tx, projectId, customerId, offeringId);
  }

  /**
   * Locks the selected customers, and creates the newcomer if the id is unused. `locked` are the customers that the
   * transaction has already locked and read.
   */
  async lockOrCreate(
    tx: Transaction,
    projectId: string,
    newcomer: Newcomer,
    wanted: CustomerSelection,
    nowMs: number,
    locked?: CustomerRow[],
  ): Promise<{ customer: CustomerRow; others: CustomerRow[] }> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const isLocked = attempt === 1 && locked !== undefined;
      const known = isLocked ? locked : await this.repository.lock(tx, projectId, wanted);
      const rows = [...known, ...(await this.createMissing(tx, projectId, known, [newcomer], nowMs))];
      const customer = rows.find((row) => hasAppUserId(row, newcomer.appUserId));
      if (customer) return { customer, others: rows.filter((row) => row !== customer) };
      // Another request has created the customer and committed. Lock that one, unless others are already locked.
      if (known.length > 0) break;
    }
    throw new ConcurrentChange('a customer changes faster than it can be locked');
  }

  /** Locks the customer with an id. @throws ApiError 404 */
  async lockExisting(
    tx: Transaction,
    projectId: string,
    appUserId: string,
    param?: string,
  ): Promise<CustomerRow> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const [customer] = await this.repository.lock(tx, projectId, { appUserIds: [appUserId] });
      if (customer) return customer;
      // Either merged into another customer while waiting, or nonexistent.
      if (!(await this.repository.find(projectId, appUserId, tx)))
        throw ApiError.missing('customer', appUserId, param);
    }
    throw new ConcurrentChange('a customer changes faster than it can be locked');
  }

  /** A newcomer that another request creates at the same time is not in the result. */
  async createMissing(
    tx: Transaction,
    projectId: string,
    locked: CustomerRow[],
    newcomers: Newcomer[],
    nowMs: number,
  ): Promise<CustomerRow[]> {
    const missing = newcomers.filter(({ appUserId }) => !locked.some((row) => hasAppUserId(row, appUserId)));
    if (missing.length === 0) return [];
    const customers = new Map(
      missing.map(({ appUserId, device }) => [appUserId, newCustomer(appUserId, device, nowMs)]),
    );
    const created = await this.repository.create(projectId, [...customers.values()], nowMs, tx);
    // Only now: a concurrent request that blocks one of the ids either has committed or will wait for this transaction.
    const blocked = await this.repository.blockedAmong(tx, projectId, [...customers.keys()]);
    const made = [...customers.values()].filter(({ id }) => created.has(id));
    for (const { id, device } of made) {
      if (device) tx.afterCommit(() => this.lastSeen.recordDay(projectId, id, null, nowMs));
    }
    return made.map((customer) => newCustomerRow(customer, blocked.has(customer.appUserId), nowMs));
  }

  /** Null if no customer has the id, which then stays unused until the transaction ends. */
  async lockOrReserve(tx: Transaction, projectId: string, appUserId: string): Promise<CustomerRow | null> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const [customer] = await this.repository.lock(tx, projectId, { appUserIds: [appUserId] });
      if (customer) return customer;
      if (await this.repository.reserveId(tx, projectId, appUserId)) return null;
    }
    throw new Error('a customer changes faster than it can be locked');
  }

  /** Invalidates the prepared answer after a change outside the customer's own rows. */
  answersChanged(tx: Transaction, projectId: string, customerId: string): Promise<void> {
    return this.repository.raiseVersion(tx, projectId, customerId);
  }

  /**
   * Records the installation of a locked customer; the earliest one counts. Also updates `row`. Returns true if
   * anything changed.
   */
  async recordInstallation(
    tx: Transaction,
    projectId: string,
    row: CustomerRow,
    { originalApplicationVersion, originalPurchaseAtMs }: FirstInstallation,
  ): Promise<boolean> {
    const isEarlier =
      originalPurchaseAtMs !== null && originalPurchaseAtMs < (row.originalPurchaseAtMs ?? Infinity);
    const isFirst = originalApplicationVersion !== null && row.originalApplicationVersion === null;
    if (!isEarlier && !isFirst) return false;
    if (isEarlier) row.originalPurchaseAtMs = originalPurchaseAtMs;
    row.originalApplicationVersion = originalApplicationVersion ?? row.originalApplicationVersion;
    await this.repository.setInstallation(tx, projectId, row);
    return true;
  }

  /** Both customers must be locked. The target keeps its original id. */
  async merge(
    tx: Transaction,
    projectId: string,
    sourceId: string,
    targetId: string,
    nowMs: number,
  ): Promise<void> {
    // Must run while the source still has its app user ids.
    await this.requests.moveCustomer(tx, projectId, sourceId, targetId);
    await this.merges.merge(tx, projectId, sourceId, targetId, new Date(nowMs));
  }
}
