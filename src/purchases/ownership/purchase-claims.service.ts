import { Inject, Injectable } from '@nestjs/common';
import type { OwnershipDecision } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { isOf, keysOfPurchases, owns } from '../../customers/customers/customer-info/customer-purchases.js';
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
import {
  decideOwners,
  hasAccountOf,
  isIdentified,
  type OwnershipClaim,
  ownersOf,
  ownsClaimed,
} from './ownership.policy.js';
import { ImportedKeysService } from '../lookups/imported-keys.service.js';
import type { OwnershipRule } from './ownership-changes.repository.js';
import { OwnershipService } from './ownership.service.js';

/** The customer owns the claimed purchases once those that belong to `owners` have moved. */
export interface ClaimedPurchases {
  kind: 'claimed';
  claim: OwnershipClaim;
  customer: CustomerRow;
  /** Other customers, locked, whose claimed purchases move to the customer. */
  owners: CustomerRow[];
  rule: OwnershipRule;
  /** Customers, locked, who own a subscription that a claimed purchase may continue. */
  others: CustomerRow[];
  /** Ids of customers merged into the customer. */
  joined: string[];
  /** Time read while the locks are held. */
  nowMs: number;
}

/** A claimed purchase stays with another customer, and nothing was written. */
export interface RefusedClaim {
  kind: 'refused';
  /** All owners, locked. */
  owners: CustomerRow[];
  /** The owner of the rest of the store account, who receives purchases without an owner. */
  accountOwner: CustomerRow | null;
  nowMs: number;
}

/** One customer per claim, in order. Null if the claim needs its own transaction. */
export interface FreeClaims {
  posters: (CustomerRow | null)[];
  nowMs: number;
}

/** A decision about a claim, with all affected customers locked. */
interface Decided {
  claim: OwnershipClaim;
  poster: CustomerRow;
  owners: CustomerRow[];
  decisions: OwnershipDecision[];
  nowMs: number;
}

@Injectable()
export class PurchaseClaims {
  constructor(
    private readonly customers: CustomersService,
    private readonly accounts: StoreAccountsService,
    private readonly ownership: OwnershipService,
    private readonly imported: ImportedKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Locks the purchases of a claim and their store accounts, then the claiming customer (created if new) and all
   * owners. Merges customers who are the same person, and stores the accounts as the customer's.
   */
  async claim(
    tx: Transaction,
    claim: OwnershipClaim,
    catalog: Catalog,
    { createsCustomer = true } = {},
  ): Promise<ClaimedPurchases | RefusedClaim> {
    const { projectId, environment, appUserId, device } = claim;
    const locks = locksOf(claim);
    await this.accounts.lock(tx, [locks]);
    const keys = [...locks.keys, ...(await this.imported.keysOf(tx, catalog, claim, claim.purchases))];
    const purchaseKeys = { ...locks, keys };
    const wanted = { appUserIds: [appUserId], purchaseKeys, accounts: locks.accounts };
    const locked = await this.customers.lock(tx, projectId, wanted);
    const nowMs = this.clock.nowMs();
    const known = locked.find((row) => hasAppUserId(row, appUserId)) ?? null;
    if (!known && !createsCustomer) throw new ConcurrentChange('a customer changed before it was locked');
    const others = locked.filter((row) => row !== known);
    const owners = ownersOf(claim, others);
    const rule = catalog.transferBehavior(environment);
    const decisions = decideOwners({ claim, poster: known, owners, behavior: rule, nowMs });
    if (decisions.includes('refuse')) {
      const refusing = owners.filter((_, index) => decisions[index] === 'refuse');
      return { kind: 'refused', owners: locked, accountOwner: accountOwner(claim, locked, refusing), nowMs };
    }
    const newcomer = { appUserId, device };
    const found = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs, locked);
    if (found.others.length !== others.length) {
      throw new ConcurrentChange('the owners of claimed purchases have changed');
    }
    const moved = owners.filter((owner, index) => decisions[index] === 'move' && ownsClaimed(owner, claim));
    const replaced = others.filter((row) => moved.includes(row) || !ownsAny(row, claim));
    const joined = await this.merge(tx, { claim, poster: found.customer, owners, decisions, nowMs });
    const customer =
      joined.length === 0
        ? found.customer
        : (await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs)).customer;
    const noted = newAccountsOf(claim, customer).map((account) => ({ ...account, customerId: customer.id }));
    const replacedIds = replaced.map(({ id }) => id);
    await this.accounts.assignAccounts(tx, projectId, noted, nowMs, replacedIds);
    const merged = owners.filter((_, index) => decisions[index] === 'merge');
    // `moved` is empty for behaviors that never move a purchase.
    return {
      kind: 'claimed',
      claim,
      customer,
      owners: moved,
      others: others.filter((row) => !merged.includes(row)),
      rule: rule as OwnershipRule,
      joined,
      nowMs,
    };
  }

  /** Like `claim`, for claims of one store whose purchases have no other owner and are in no earlier claim. */
  async claimFree(tx: Transaction, claims: OwnershipClaim[], catalog: Catalog): Promise<FreeClaims> {
    const { projectId, store, environment } = claims[0] as OwnershipClaim;
    const locks = claims.map(locksOf);
    await this.accounts.lock(tx, locks);
    const purchases = claims.flatMap((claim) => claim.purchases);
    const more = await this.imported.keysOf(tx, catalog, { store, environment }, purchases);
    const locked = await this.customers.lock(tx, projectId, {
      appUserIds: claims.map(({ appUserId }) => appUserId),
      purchaseKeys: { store, environment, keys: [...locks.flatMap(({ keys }) => keys), ...more] },
      accounts: locks.flatMap(({ accounts }) => accounts),
    });
    const nowMs = this.clock.nowMs();
    const free = withoutDecisions(claims, locked);
    const created = await this.customers.createMissing(tx, projectId, locked, [...free], nowMs);
    const rows = [...locked, ...created];
    const posters = claims.map((claim) => {
      const poster = free.has(claim) && rows.find((row) => hasAppUserId(row, claim.appUserId));
      return poster && poster.testClockId === null ? poster : null;
    });
    const noted = posters.flatMap((poster, index) => {
      if (!poster) return [];
      const accounts = newAccountsOf(claims[index] as OwnershipClaim, poster);
      return accounts.map((account) => ({ ...account, customerId: poster.id }));
    });
    await this.accounts.assignAccounts(tx, projectId, noted, nowMs);
    return { posters, nowMs };
  }

  /** Merges the poster with owners who are the same person. Returns the merged ids. */
  private async merge(
    tx: Transaction,
    { claim, poster: first, owners, decisions, nowMs }: Decided,
  ): Promise<string[]> {
    const { projectId, appUserId, isRestore, requestId } = claim;
    let poster = first;
    const joined: string[] = [];
    for (const [index, owner] of owners.entries()) {
      if (decisions[index] !== 'merge') continue;
      // An identified poster absorbs the anonymous owner; otherwise the owner remains, as the older customer.
      const [source, target] = isIdentified(poster) ? [owner, poster] : [poster, owner];
      const rule = isIdentified(owner) ? 'share' : 'anonymous_owner';
      await this.ownership.merge(tx, projectId, source, target, { rule, isRestore, requestId }, nowMs);
      joined.push(source === first ? appUserId : source.originalAppUserId);
      poster = target;
    }
    return joined;
  }
}

function accountsOf({ appId, accounts = [], installedAccounts = [] }: OwnershipClaim): AppAccount[] {
  if (appId === null) return [];
  return [...accounts, ...installedAccounts].map((account) => ({ ...account, appId }));
}

function newAccountsOf(claim: OwnershipClaim, customer: CustomerRow): AppAccount[] {
  return accountsOf(claim).filter((account) => !hasAccountOf(customer, [account]));
}

/** The locks that a claim acquires before it locks any customer. */
function locksOf(claim: OwnershipClaim) {
  const { projectId, store, environment, purchases } = claim;
  return {
    projectId,
    store,
    environment,
    keys: keysOfPurchases(purchases),
    accounts: accountsOf(claim),
  };
}

/** The owner of the account that the purchases name, or else the first owner whose purchases do not move. */
function accountOwner(
  claim: OwnershipClaim,
  locked: CustomerRow[],
  refusing: CustomerRow[],
): CustomerRow | null {
  const named = locked.filter((row) => hasAccountOf(row, claim.accounts ?? []) && ownsAny(row, claim));
  // A test clock's time differs from the store's.
  return [...named, ...refusing].find(({ testClockId }) => testClockId === null) ?? null;
}

function ownsAny({ subscriptions, purchases }: CustomerRow, claim: OwnershipClaim): boolean {
  return [...subscriptions, ...purchases].some((row) => isOf(row, claim));
}

/** Claims without purchases or accounts of an earlier claim, whose purchases belong to the poster or have no owner. */
function withoutDecisions(claims: OwnershipClaim[], locked: CustomerRow[]): Set<OwnershipClaim> {
  const named = new Set<string>();
  const free = claims.filter((claim) => {
    const { purchases, appUserId } = claim;
    const accounts = accountsOf(claim);
    const names = [
      ...keysOfPurchases(purchases),
      ...accounts.map((account) => `account ${accountName(account)}`),
    ];
    const isRepeated = names.some((name) => named.has(name));
    for (const name of names) named.add(name);
    const others = locked.filter((row) => !hasAppUserId(row, appUserId));
    return (
      !isRepeated &&
      !others.some((row) => hasAccountOf(row, accounts) || purchases.some((name) => owns(row, claim, name)))
    );
  });
  return new Set(free);
}
