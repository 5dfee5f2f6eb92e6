import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Environment, ImportTerms, Store } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { StoreAccount, VerifiedPurchase } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { keysOfPurchases, owns } from '../../customers/customers/customer-info/customer-purchases.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import {
  accountName,
  type AppAccount,
  StoreAccountsService,
} from '../../customers/customers/identity/store-accounts.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ErasedPurchasesService } from '../erased/erased-purchases.service.js';
import { ImportedKeysService } from '../lookups/imported-keys.service.js';
import { hasAccountOf } from './ownership.policy.js';

/** Purchases reported by a store, without a posting customer. */
export interface ReportedPurchases {
  projectId: string;
  appId: string;
  store: Store;
  environment: Environment;
  purchases: VerifiedPurchase[];
  /** Set if an import brought the purchases. Past events of new purchases are not emitted and grant no currency. */
  imported?: Pick<ImportTerms, 'asOfMs' | 'emits'>;
}

/** The store's hints at the owner of a purchase that no app has posted, in order of precedence. */
export interface NamedOwner {
  /** Key of a purchase with the same owner. */
  predecessor?: string;
  /** App user ids; ids without a customer are ignored. */
  appUserIds?: string[];
  /** An app user id that the seller stored with the purchase: that customer, created if new. */
  noted?: string;
  /** SHA-256 of an app user id in hexadecimal; ignored without a customer. */
  appUserIdHash?: string;
  /** The customer with one of these accounts, or else a new anonymous customer. */
  accounts: StoreAccount[];
}

export type NewOwner =
  | { kind: 'none' }
  | { kind: 'owner_of'; key: string }
  /** Created if new. */
  | { kind: 'person'; appUserId: string };

/** All customers in this object are locked. */
export interface ReportedOwners {
  owners: CustomerRow[];
  /** The owner for purchases without one; null: these are not recorded. */
  newOwner: CustomerRow | null;
  /** Accounts in the report, to be stored for the owner. */
  accounts: AppAccount[];
  /** Time read while the locks are held. */
  nowMs: number;
}

/** Owners of purchases that have none yet, and of those that stay unknown. */
export interface NewOwners extends ReportedOwners {
  /** Keys of old purchases of deleted customers: they have no owner, and must get none. */
  erased: ReadonlySet<string>;
}

/** A report whose owners need no decision: a purchase without one is recorded only beside another purchase. */
export interface OwnedReport extends ReportedPurchases {
  /** Key of a purchase with the same owner. */
  beside: string | null;
  /** Its accounts are stored for the owner. */
  named: NamedOwner | null;
}

/** Owners of reports that share a transaction, in order. Null if a report needs its own transaction. */
export interface SharedOwners {
  owners: (ReportedOwners | null)[];
  /** Time read while the locks are held. */
  nowMs: number;
}

/** Decides which customer receives reported purchases. A store report never moves a purchase. */
@Injectable()
export class ReportedOwnersService {
  constructor(
    private readonly customers: CustomersService,
    private readonly accounts: StoreAccountsService,
    private readonly imported: ImportedKeysService,
    private readonly erased: ErasedPurchasesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Locks all owners and the owner for purchases without one, in a consistent order. */
  async lock(
    tx: Transaction,
    catalog: Catalog,
    reported: ReportedPurchases,
    wantedOwner: NewOwner,
  ): Promise<ReportedOwners> {
    const { projectId, store, environment } = reported;
    const keys = await this.keysOf(tx, catalog, reported);
    if (wantedOwner.kind === 'person') {
      const { appUserId } = wantedOwner;
      const wanted = { appUserIds: [appUserId], purchaseKeys: { store, environment, keys } };
      const newcomer = { appUserId, device: null };
      const found = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, this.clock.nowMs());
      return this.decided([found.customer, ...found.others], found.customer);
    }
    const all = wantedOwner.kind === 'owner_of' ? [...keys, wantedOwner.key] : keys;
    const wanted = { appUserIds: [], purchaseKeys: { store, environment, keys: all } };
    const owners = await this.customers.lock(tx, projectId, wanted);
    if (wantedOwner.kind === 'none') return this.decided(owners, null);
    const newOwner = owners.find((row) => owns(row, reported, wantedOwner)) ?? null;
    return { ...this.decided(owners, null), newOwner };
  }

  /** Locks the owners of reports of one store and environment, and the customers with accounts in the reports. */
  async lockTogether(tx: Transaction, catalog: Catalog, reports: OwnedReport[]): Promise<SharedOwners> {
    const [{ projectId, store, environment }] = reports as [OwnedReport];
    const purchases = reports.flatMap((report) => report.purchases);
    const keys = await this.keysOf(tx, catalog, { store, environment, purchases });
    const beside = reports.flatMap((report) => report.beside ?? []);
    const accounts = reports.map((report) => (report.named ? accountsOf(report, report.named) : []));
    const rows = await this.customers.lock(tx, projectId, {
      appUserIds: [],
      purchaseKeys: { store, environment, keys: [...new Set([...keys, ...beside])] },
      accounts: accounts.flat(),
    });
    const names = new Set<string>();
    const owners = reports.map((report, index) => {
      const own = accounts[index] as AppAccount[];
      const ownNames = [
        ...keysOfPurchases(report.purchases),
        ...own.map((account) => `account ${accountName(account)}`),
      ];
      const isRepeated = ownNames.some((name) => names.has(name));
      for (const name of ownNames) names.add(name);
      if (isRepeated) return null;
      const { beside: key } = report;
      const newOwner = key === null ? null : (rows.find((row) => owns(row, report, { key })) ?? null);
      return { ...this.decided(rows, null, own), newOwner };
    });
    return { owners, nowMs: this.clock.nowMs() };
  }

  /**
   * Decides while holding the locks of purchases and accounts: other transactions have committed or will wait and then
   * find this owner.
   */
  async lockOrCreate(
    tx: Transaction,
    catalog: Catalog,
    reported: ReportedPurchases,
    named: NamedOwner,
  ): Promise<NewOwners> {
    const { projectId, store, environment, purchases } = reported;
    const { predecessor } = named;
    const own = [...keysOfPurchases(reported.purchases), ...(predecessor === undefined ? [] : [predecessor])];
    const accounts = accountsOf(reported, named);
    await this.accounts.lock(tx, [{ projectId, store, environment, keys: own, accounts }]);
    const keys = [...own, ...(await this.imported.keysOf(tx, catalog, reported, purchases))];
    const name = await this.nameOf(tx, projectId, named);
    const wanted = {
      appUserIds: name === null ? [] : [name],
      purchaseKeys: { store, environment, keys },
      accounts,
    };
    const rows = await this.customers.lock(tx, projectId, wanted);
    const byName = name === null ? undefined : rows.find((row) => hasAppUserId(row, name));
    if (name !== null && !byName) throw new ConcurrentChange(`customer ${name} changed before it was locked`);
    const unowned = purchases.filter((purchase) => !rows.some((row) => owns(row, reported, purchase)));
    const erased = await this.erased.erasedKeys(tx, reported, unowned);
    const beside = rows.find((row) => predecessor !== undefined && owns(row, reported, { key: predecessor }));
    const ofAccount = named.noted === undefined ? rows.find((row) => hasAccountOf(row, accounts)) : undefined;
    const known = beside ?? byName ?? ofAccount;
    const isNeeded = unowned.length > erased.size;
    const newOwner = known ?? (isNeeded ? await this.create(tx, projectId, named.noted) : null);
    return { ...this.decided(newOwner ? [...rows, newOwner] : rows, newOwner, accounts), erased };
  }

  /** Stores accounts that belong to no customer yet as those of the purchases' owners. Call after recording. */
  async storeAccounts(
    tx: Transaction,
    recorded: { reported: ReportedPurchases; owners: ReportedOwners }[],
  ): Promise<void> {
    const [first] = recorded;
    if (!first) return;
    const noted = recorded.flatMap(({ reported, owners: { owners, accounts } }) => {
      const owner = owners.find((row) =>
        reported.purchases.some((purchase) => owns(row, reported, purchase)),
      );
      if (!owner) return [];
      const unknown = accounts.filter((account) => !owners.some((row) => hasAccountOf(row, [account])));
      return unknown.map((account) => ({ ...account, customerId: owner.id }));
    });
    await this.accounts.assignAccounts(tx, first.reported.projectId, noted, first.owners.nowMs);
  }

  private async keysOf(
    tx: Transaction,
    catalog: Catalog,
    { purchases, ...place }: Pick<ReportedPurchases, 'store' | 'environment' | 'purchases'>,
  ): Promise<string[]> {
    return [...keysOfPurchases(purchases), ...(await this.imported.keysOf(tx, catalog, place, purchases))];
  }

  private decided(
    owners: CustomerRow[],
    newOwner: CustomerRow | null,
    accounts: AppAccount[] = [],
  ): ReportedOwners {
    // A test clock's time differs from the store's, so such a customer receives nothing new.
    const isInRealTime = newOwner?.testClockId === null;
    return { owners, newOwner: isInRealTime ? newOwner : null, accounts, nowMs: this.clock.nowMs() };
  }

  private async nameOf(
    tx: Transaction,
    projectId: string,
    { noted, appUserIds = noted === undefined ? [] : [noted], appUserIdHash }: NamedOwner,
  ): Promise<string | null> {
    if (appUserIds.length > 0) return this.accounts.firstKnown(tx, projectId, appUserIds);
    return appUserIdHash === undefined ? null : this.accounts.hashedAs(tx, projectId, appUserIdHash);
  }

  /** Anonymous if there is no app user id. */
  private async create(
    tx: Transaction,
    projectId: string,
    appUserId = `$RCAnonymousID:${randomBytes(16).toString('hex')}`,
  ): Promise<CustomerRow> {
    const newcomer = { appUserId, device: null };
    const [created] = await this.customers.createMissing(tx, projectId, [], [newcomer], this.clock.nowMs());
    if (!created) throw new ConcurrentChange('the app user id of a new customer is in use');
    return created;
  }
}

function accountsOf({ appId }: ReportedPurchases, { accounts }: NamedOwner): AppAccount[] {
  return accounts.map((account) => ({ ...account, appId }));
}
