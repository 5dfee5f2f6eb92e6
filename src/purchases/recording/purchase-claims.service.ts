import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/customers.service.js';
import { type AppAccount, StoreAccountsService } from '../../customers/customers/store-accounts.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.js';
import type { EventWrite } from './change-set.js';
import { isOf } from '../../customers/customers/customer-purchases.js';
import {
  hasAccountOf,
  type OwnershipClaim,
  type OwnershipRequest,
  OwnershipService,
} from './ownership.service.js';
import { type PostedAttributes, PurchaseRecorder } from './purchase-recorder.js';

/** The claimed purchases belong to the customer now, or to nobody. */
export interface ClaimedPurchases {
  kind: 'claimed';
  customer: CustomerRow;
  events: EventWrite[];
  /** Read under the locks. */
  nowMs: number;
}

/** A claimed purchase stays with another customer. Nothing was written. */
export interface RefusedClaim {
  kind: 'refused';
  /** All owners, locked. */
  owners: CustomerRow[];
  /** Who owns the rest of the store account: what has no owner yet goes there. */
  newOwner: CustomerRow | null;
  nowMs: number;
}

export interface ClaimOptions {
  /** The request is the customer's own, not a backend's. */
  isSeen: boolean;
  /** What the request says of the customer, for the events of what changes hands. */
  attributes?: PostedAttributes;
}

/** Every account that a claim shows. */
export function accountsOf({ appId, accounts = [], installedAccounts = [] }: OwnershipClaim): AppAccount[] {
  if (appId === null) return [];
  return [...accounts, ...installedAccounts].map((account) => ({ ...account, appId }));
}

/** The accounts that are not known as the customer's yet. */
export function newAccountsOf(claim: OwnershipClaim, customer: CustomerRow): AppAccount[] {
  return accountsOf(claim).filter((account) => !hasAccountOf(customer, [account]));
}

/** Makes purchases of a store a customer's own, where the rules say so. */
@Injectable()
export class PurchaseClaims {
  constructor(
    private readonly customers: CustomersService,
    private readonly accounts: StoreAccountsService,
    private readonly ownership: OwnershipService,
    private readonly recorder: PurchaseRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Locks the purchases and their store accounts, then the customer who claims them (created when new) and all
   * owners. Moves what the rules give the customer and remembers the store accounts as theirs.
   */
  async claim(
    tx: Transaction,
    claim: OwnershipClaim,
    catalog: Catalog,
    options: ClaimOptions,
  ): Promise<ClaimedPurchases | RefusedClaim> {
    const { projectId, store, environment, appUserId, device, purchases } = claim;
    const keys = purchases.map(({ key }) => key);
    const accounts = accountsOf(claim);
    await this.accounts.lock(tx, [{ projectId, store, environment, keys, accounts }]);
    const wanted = { appUserIds: [appUserId], purchaseKeys: { store, environment, keys }, accounts };
    const locked = await this.customers.lock(tx, projectId, wanted);
    const nowMs = this.clock.nowMs();
    const known = locked.find((row) => hasAppUserId(row, appUserId)) ?? null;
    const others = locked.filter((row) => row !== known);
    const owners = this.ownership.ownersOf(claim, others);
    const behavior = catalog.transferBehavior(environment);
    const decisions = this.ownership.decide({ claim, poster: known, owners, behavior, nowMs });
    if (decisions.includes('refuse')) {
      const refusing = owners.filter((_, index) => decisions[index] === 'refuse');
      return { kind: 'refused', owners: locked, newOwner: newOwnerOf(claim, locked, refusing), nowMs };
    }
    const newcomer = { appUserId, device };
    const found = await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs, locked);
    if (found.others.length !== others.length) {
      throw new ConcurrentChange('the owners of claimed purchases have changed');
    }
    const request = { claim, poster: found.customer, owners, behavior, nowMs };
    const taken = await this.take(tx, request, decisions, catalog, options);
    const customer =
      owners.length === 0
        ? found.customer
        : (await this.customers.lockOrCreate(tx, projectId, newcomer, wanted, nowMs)).customer;
    const origin = { projectId, appId: claim.appId, requestId: claim.requestId, isSeen: options.isSeen };
    const events = [...taken.events];
    for (const id of taken.joined) {
      events.push(...(await this.recorder.recordAlias(tx, origin, customer, id, catalog, nowMs)));
    }
    const replaced = others.filter((row) => taken.from.includes(row) || !ownsAny(row, claim));
    const noted = newAccountsOf(claim, customer).map((account) => ({ ...account, customerId: customer.id }));
    const replacedIds = replaced.map(({ id }) => id);
    await this.accounts.note(tx, projectId, noted, nowMs, replacedIds);
    return { kind: 'claimed', customer, events, nowMs };
  }

  /** Moves and merges by the decisions. Gives whom purchases were taken from, and ids that joined the customer. */
  private async take(
    tx: Transaction,
    request: OwnershipRequest,
    decisions: ReturnType<OwnershipService['decide']>,
    catalog: Catalog,
    { isSeen, attributes }: ClaimOptions,
  ): Promise<{ events: EventWrite[]; joined: string[]; from: CustomerRow[] }> {
    const { claim, poster, owners, nowMs } = request;
    if (owners.length === 0) return { events: [], joined: [], from: [] };
    const moves = this.recorder.newChange(catalog, nowMs);
    if (attributes) this.recorder.applyAttributes(moves, attributes, poster, nowMs);
    const from = await this.ownership.moveAll(tx, moves, request, decisions);
    const seen = isSeen ? [poster.id] : [];
    const { events } = await this.recorder.save(tx, claim.projectId, moves, seen, nowMs);
    const joined = await this.ownership.mergeAll(tx, request, decisions);
    return { events, joined, from };
  }
}

/** The owner of the account that the purchases name, or else the first who keeps a purchase. */
function newOwnerOf(
  claim: OwnershipClaim,
  locked: CustomerRow[],
  refusing: CustomerRow[],
): CustomerRow | null {
  const named = locked.filter((row) => hasAccountOf(row, claim.accounts ?? []) && ownsAny(row, claim));
  // A test clock's time is not that of the store.
  return [...named, ...refusing].find(({ testClockId }) => testClockId === null) ?? null;
}

function ownsAny({ subscriptions, purchases }: CustomerRow, claim: OwnershipClaim): boolean {
  return [...subscriptions, ...purchases].some((row) => isOf(row, claim));
}
