import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { StoreAccount } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import { type AppAccount, StoreAccountsService } from '../../customers/customers/store-accounts.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { owns } from '../../customers/customers/customer-purchases.js';
import { hasAccountOf } from './ownership.service.js';
import { type OwnedPurchases, PurchaseRecorder } from './purchase-recorder.js';

/** What a store tells by itself, without a customer who posts it. */
export interface ReportedPurchases extends Omit<OwnedPurchases, 'appUserId'> {
  projectId: string;
}

/** Who a store means by a purchase that no app has posted, by whatever names them first. */
export interface AccountOwner {
  /** Key of a purchase whose owner owns this one too. */
  predecessor?: string;
  /** App user ids, if a customer goes by one. */
  appUserIds?: string[];
  /** SHA-256 of an app user id in hexadecimal, likewise. */
  appUserIdHash?: string;
  /** The customer whose accounts these are; a new anonymous one when there is none. */
  accounts: StoreAccount[];
}

/** Who gets purchases that nobody owns. */
export type NewOwner =
  | { kind: 'none' }
  | { kind: 'owner_of'; key: string }
  /** Created when new. */
  | { kind: 'person'; appUserId: string };

export const noNewOwner: NewOwner = { kind: 'none' };

/** Records what stores tell of purchases: on whoever owns them. Nothing that a store tells moves a purchase. */
@Injectable()
export class ReportedPurchasesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly accounts: StoreAccountsService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Gives the keys of the purchases that still belong to nobody; nothing of those was kept. `alongside` writes in
   * the same transaction.
   */
  async record(
    reported: ReportedPurchases,
    newOwner: NewOwner,
    alongside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<string[]> {
    if (reported.purchases.length === 0) return [];
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(reported.projectId);
    return this.database.transaction(
      async (tx) => {
        const { owners, inheritor } = await this.locked(tx, reported, newOwner);
        const unowned = await this.save(tx, reported, owners, inheritor, catalog);
        await alongside(tx);
        return unowned;
      },
      { retryUniqueViolation: true },
    );
  }

  /** As `record`; what nobody owns goes to the customer whom the store means, who is created when there is none. */
  async recordForAccount(reported: ReportedPurchases, newOwner: AccountOwner): Promise<string[]> {
    if (reported.purchases.length === 0) return [];
    const catalog = await this.catalogs.get(reported.projectId);
    const run = (work: (tx: Transaction) => Promise<string[]>): Promise<string[]> =>
      this.database.transaction(work, { retryUniqueViolation: true });
    // Nearly always there is an owner: then there is nothing to decide, and no need for the locks of a decision.
    const unowned = await run((tx) => this.recordOwned(tx, reported, newOwner, catalog));
    return unowned.length === 0 ? [] : run((tx) => this.recordDecided(tx, reported, newOwner, catalog));
  }

  private async save(
    tx: Transaction,
    reported: ReportedPurchases,
    owners: CustomerRow[],
    inheritor: CustomerRow | null,
    catalog: Catalog,
  ): Promise<string[]> {
    const nowMs = this.clock.nowMs();
    const builder = this.recorder.newChange(catalog, nowMs);
    const unowned = this.recorder.applyReported(builder, reported, owners, inheritor, nowMs);
    await this.recorder.save(tx, reported.projectId, builder, [], nowMs);
    return unowned;
  }

  /** Locks all owners, and who is to get what nobody owns, in one order. */
  private async locked(
    tx: Transaction,
    reported: ReportedPurchases,
    newOwner: NewOwner,
  ): Promise<{ owners: CustomerRow[]; inheritor: CustomerRow | null }> {
    const { projectId, store, environment, purchases } = reported;
    const keys = purchases.map(({ key }) => key);
    if (newOwner.kind === 'person') {
      const wanted = { appUserIds: [newOwner.appUserId], purchaseKeys: { store, environment, keys } };
      const newcomer = { appUserId: newOwner.appUserId, device: null };
      const found = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, this.clock.nowMs());
      return { owners: [found.customer, ...found.others], inheritor: inRealTime(found.customer) };
    }
    const all = newOwner.kind === 'owner_of' ? [...keys, newOwner.key] : keys;
    const wanted = { appUserIds: [], purchaseKeys: { store, environment, keys: all } };
    const owners = await this.customers.lock(tx, projectId, wanted);
    const inheritor =
      newOwner.kind === 'owner_of' ? owners.find((row) => owns(row, reported, newOwner)) : null;
    return { owners, inheritor: inheritor ?? null };
  }

  private async recordOwned(
    tx: Transaction,
    reported: ReportedPurchases,
    newOwner: AccountOwner,
    catalog: Catalog,
  ): Promise<string[]> {
    const { projectId, appId, store, environment, purchases } = reported;
    const accounts = newOwner.accounts.map((account) => ({ ...account, appId }));
    const purchaseKeys = { store, environment, keys: purchases.map(({ key }) => key) };
    const rows = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys, accounts });
    const unowned = await this.save(tx, reported, rows, null, catalog);
    if (unowned.length === 0) await this.noteOwner(tx, reported, rows, accounts);
    return unowned;
  }

  /** Accounts that no customer has yet are those of the purchases' owner. */
  private async noteOwner(
    tx: Transaction,
    reported: ReportedPurchases,
    rows: CustomerRow[],
    accounts: AppAccount[],
  ): Promise<void> {
    const owner = rows.find((row) => reported.purchases.some((purchase) => owns(row, reported, purchase)));
    if (!owner) return;
    const unknown = accounts.filter((account) => !rows.some((row) => hasAccountOf(row, [account])));
    const noted = unknown.map((account) => ({ ...account, customerId: owner.id }));
    await this.accounts.note(tx, reported.projectId, noted, this.clock.nowMs());
  }

  /**
   * Decides the owner while the purchases and the accounts are locked: whoever else speaks of them has either
   * committed, or waits and then finds this owner.
   */
  private async recordDecided(
    tx: Transaction,
    reported: ReportedPurchases,
    newOwner: AccountOwner,
    catalog: Catalog,
  ): Promise<string[]> {
    const { projectId, appId, store, environment, purchases } = reported;
    const { predecessor } = newOwner;
    const keys = [...purchases.map(({ key }) => key), ...(predecessor === undefined ? [] : [predecessor])];
    const accounts = newOwner.accounts.map((account) => ({ ...account, appId }));
    await this.accounts.lock(tx, [{ projectId, store, environment, keys, accounts }]);
    const named = await this.namedBy(tx, projectId, newOwner);
    const appUserIds = named === null ? [] : [named];
    const wanted = { appUserIds, purchaseKeys: { store, environment, keys }, accounts };
    const rows = await this.customers.lock(tx, projectId, wanted);
    const byName = named === null ? undefined : rows.find((row) => hasAppUserId(row, named));
    if (named !== null && !byName)
      throw new ConcurrentChange(`customer ${named} changed before it was locked`);
    const isOwned = purchases.every((purchase) => rows.some((row) => owns(row, reported, purchase)));
    const known =
      rows.find((row) => predecessor !== undefined && owns(row, reported, { key: predecessor })) ??
      byName ??
      rows.find((row) => hasAccountOf(row, accounts));
    const inheritor = known ?? (isOwned ? null : await this.createAnonymous(tx, projectId));
    const owners = inheritor ? [...rows, inheritor] : rows;
    const unowned = await this.save(tx, reported, owners, inheritor && inRealTime(inheritor), catalog);
    await this.noteOwner(tx, reported, owners, accounts);
    return unowned;
  }

  private async namedBy(
    tx: Transaction,
    projectId: string,
    { appUserIds = [], appUserIdHash }: AccountOwner,
  ): Promise<string | null> {
    if (appUserIds.length > 0) return this.accounts.firstKnown(tx, projectId, appUserIds);
    return appUserIdHash === undefined ? null : this.accounts.hashedAs(tx, projectId, appUserIdHash);
  }

  private async createAnonymous(tx: Transaction, projectId: string): Promise<CustomerRow> {
    const newcomer = { appUserId: `$RCAnonymousID:${randomBytes(16).toString('hex')}`, device: null };
    const [created] = await this.customers.createMissing(tx, projectId, [], [newcomer], this.clock.nowMs());
    if (!created) throw new ConcurrentChange('a random app user id is in use');
    return created;
  }
}

/** A test clock's time is not that of the store: such a customer gets nothing new. */
function inRealTime(customer: CustomerRow): CustomerRow | null {
  return customer.testClockId === null ? customer : null;
}
