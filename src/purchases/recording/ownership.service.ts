import { Injectable } from '@nestjs/common';
import {
  decideOwnership,
  deriveState,
  type Environment,
  factsWith,
  type OwnershipDecision,
  type Store,
  type TransferBehavior,
} from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import type { StoreAccount, VerifiedPurchase } from '../../../libs/stores/index.js';
import {
  type SubscriptionRow,
  type CustomerRow,
  type OneTimeRow,
  timeOf,
} from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import type { Device } from '../../customers/customers/last-seen.recorder.js';
import type { Transaction } from '../../platform/database/database.js';
import { transferEventBody } from '../../webhooks/events/event-body.js';
import type { ChangeBuilder } from './change-builder.js';
import { ChangesRepository } from './changes.repository.js';
import {
  subscriptionOf,
  subscriptionOfPurchase,
  isOf,
  oneTimeOfPurchase,
  owns,
  type PurchaseName,
} from '../../customers/customers/customer-purchases.js';
import { OwnershipChangesRepository, type OwnershipRule } from './ownership-changes.repository.js';
import { settled } from './settled.js';

/** Somebody shows purchases of a store and wants to own them. */
export interface OwnershipClaim {
  projectId: string;
  appId: string | null;
  store: Store;
  environment: Environment;
  appUserId: string;
  /** Null when no SDK shows itself. */
  device: Device | null;
  isRestore: boolean;
  requestId: string;
  /** With what the store says of them now, where it was asked. */
  purchases: (PurchaseName | VerifiedPurchase)[];
  /** Accounts of the store that the purchases were made with, as the store itself says. */
  accounts?: StoreAccount[];
  /** Accounts that something else in the request shows: they prove nothing about the purchases. */
  installedAccounts?: StoreAccount[];
}

export interface OwnershipRequest {
  claim: OwnershipClaim;
  poster: CustomerRow;
  /** The other customers who own some of the posted purchases. */
  owners: CustomerRow[];
  behavior: TransferBehavior;
  nowMs: number;
}

/** What a decision about a posted purchase rests on. */
export type OwnershipQuestion = Pick<OwnershipRequest, 'owners' | 'behavior' | 'nowMs'> & {
  /** Null: nobody whom this server knows yet. */
  poster: CustomerRow | null;
  claim: Pick<OwnershipClaim, 'store' | 'environment' | 'isRestore' | 'purchases' | 'accounts'>;
};

/** What stands in the record of a change of hands. */
export interface OwnershipCause {
  rule: OwnershipRule;
  /** What the posted receipt said; null when there was none. */
  isRestore: boolean | null;
  requestId: string;
}

/** Purchases that go from one locked customer to another. */
export interface Handover {
  from: CustomerRow;
  to: CustomerRow;
  subscriptions: SubscriptionRow[];
  oneTime: OneTimeRow[];
  cause: OwnershipCause;
  /** Where the TRANSFER event says that it happened. */
  place: { appId: string | null; store: Store; environment: Environment };
}

/** Purchases only change hands between customers who live by the same clock: elsewhere they would jump in time. */
export function shareTime(a: CustomerRow, b: CustomerRow): boolean {
  return a.testClockId === b.testClockId;
}

/** The owner's subscriptions that the claimed purchases are of, each once. */
function claimedSubscriptions(owner: CustomerRow, claim: OwnershipQuestion['claim']): SubscriptionRow[] {
  return [
    ...new Set(
      claim.purchases.flatMap((name) => subscriptionOfPurchase(owner.subscriptions, claim, name) ?? []),
    ),
  ];
}

/** As its store says now, too: whether a subscription gives access must not be judged by older news. */
function givesAccess(row: SubscriptionRow, claim: OwnershipQuestion['claim'], nowMs: number): boolean {
  let { facts } = subscriptionOf(row);
  for (const shown of claim.purchases) {
    if (!('kind' in shown) || shown.kind !== 'subscription' || shown.firstPostStands) continue;
    if (subscriptionOfPurchase([row], claim, shown) === undefined) continue;
    facts = factsWith(facts, settled(shown, facts), nowMs);
  }
  return deriveState(facts, nowMs).givesAccess;
}

/** Whether one of the accounts, of one app or of any, is known as the customer's. */
export function hasAccountOf(
  { accounts = [] }: CustomerRow,
  wanted: (StoreAccount & { appId?: string })[],
): boolean {
  return accounts.some((own) =>
    wanted.some(
      ({ kind, key, appId = own.appId }) => own.kind === kind && own.key === key && own.appId === appId,
    ),
  );
}

function ownsClaimed(owner: CustomerRow, claim: OwnershipQuestion['claim']): boolean {
  return claim.purchases.some((name) => owns(owner, claim, name));
}

/**
 * Whether a customer counts as an owner because of the store account alone. Without an answer of Apple a receipt shows
 * only one purchase of its account; the signed app transaction id still tells whose account it is. In every store, a
 * customer whom only notifications made stands for whoever shows a purchase of the account.
 */
function ownsAccount(customer: CustomerRow, claim: OwnershipQuestion['claim']): boolean {
  const { accounts = [] } = claim;
  if (!isIdentified(customer) && customer.lastSeenAtMs === null) return hasAccountOf(customer, accounts);
  const isInStore = [...customer.subscriptions, ...customer.purchases].some((row) => isOf(row, claim));
  return isInStore && hasAppleAccount(customer, claim);
}

function hasAppleAccount(customer: CustomerRow, { accounts = [] }: OwnershipQuestion['claim']): boolean {
  return hasAccountOf(
    customer,
    accounts.filter(({ kind }) => kind === 'apple_app_transaction_id'),
  );
}

/** The subscriptions that an owner is judged by: those of the Apple account also where the receipt does not show them. */
function subscriptionsOfAccount(owner: CustomerRow, claim: OwnershipQuestion['claim']): SubscriptionRow[] {
  if (hasAppleAccount(owner, claim)) return owner.subscriptions.filter((row) => isOf(row, claim));
  return claimedSubscriptions(owner, claim);
}

function isIdentified(customer: CustomerRow): boolean {
  return customer.aliases.some(({ isAnonymous }) => !isAnonymous);
}

/** Who owns purchases that belong to somebody else: decides, moves purchases and makes customers one. */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly customers: CustomersService,
    private readonly repository: ChangesRepository,
    private readonly records: OwnershipChangesRepository,
  ) {}

  /** Those of some customers, other than the poster, whom a claim is decided against. */
  ownersOf(claim: OwnershipQuestion['claim'], others: CustomerRow[]): CustomerRow[] {
    return others.filter((row) => ownsClaimed(row, claim) || ownsAccount(row, claim));
  }

  /** Decides for each owner, in the order of `owners`. One `refuse` refuses the whole receipt. */
  decide(question: OwnershipQuestion): OwnershipDecision[] {
    return question.owners.map((owner) => this.decideOne(owner, question));
  }

  /** Gives the poster what the decisions say is the poster's now. Returns the owners it was taken from. */
  async moveAll(
    tx: Transaction,
    builder: ChangeBuilder,
    request: OwnershipRequest,
    decisions: OwnershipDecision[],
  ): Promise<CustomerRow[]> {
    const from = request.owners.filter(
      (owner, index) => decisions[index] === 'move' && ownsClaimed(owner, request.claim),
    );
    for (const owner of from) await this.move(tx, builder, owner, request);
    return from;
  }

  /**
   * Makes the poster one with those owners who are the same person by the decisions, and gives the ids that joined
   * on the way. To be called when the moves are saved: the poster's row may be gone afterwards.
   */
  async mergeAll(
    tx: Transaction,
    request: OwnershipRequest,
    decisions: OwnershipDecision[],
  ): Promise<string[]> {
    const { projectId, appUserId, isRestore, requestId } = request.claim;
    let poster = request.poster;
    const joined: string[] = [];
    for (const [index, owner] of request.owners.entries()) {
      if (decisions[index] !== 'merge') continue;
      // An identified poster takes the anonymous owner in; otherwise the owner, who was there first, stays.
      const [source, target] = isIdentified(poster) ? [owner, poster] : [poster, owner];
      const rule = isIdentified(owner) ? 'share' : 'anonymous_owner';
      await this.merge(tx, projectId, source, target, { rule, isRestore, requestId }, request.nowMs);
      joined.push(source === request.poster ? appUserId : source.originalAppUserId);
      poster = target;
    }
    return joined;
  }

  /** Makes two locked customers one; everything the source owns is recorded as having changed hands. */
  async merge(
    tx: Transaction,
    projectId: string,
    source: CustomerRow,
    target: CustomerRow,
    cause: OwnershipCause,
    nowMs: number,
  ): Promise<void> {
    await this.customers.merge(tx, projectId, source.id, target.id);
    const { subscriptions, purchases: oneTime } = source;
    // The source goes on as the target: whoever erases the target means both.
    const from = { ...source, id: target.id };
    await this.record(
      tx,
      projectId,
      { from, to: target, subscriptions, oneTime, cause },
      timeOf(target, nowMs),
    );
    target.subscriptions.push(...subscriptions.map((row) => ({ ...row, customerId: target.id })));
    target.purchases.push(...oneTime.map((row) => ({ ...row, customerId: target.id })));
    target.aliases.push(...source.aliases);
  }

  /** Gives purchases to another customer, with their money, a record of each and one TRANSFER event. */
  async handOver(
    tx: Transaction,
    projectId: string,
    builder: ChangeBuilder,
    handover: Handover,
    nowMs: number,
  ): Promise<void> {
    const { from, to, subscriptions, oneTime, cause, place } = handover;
    const move = {
      fromCustomerId: from.id,
      toCustomerId: to.id,
      subscriptionIds: subscriptions.map(({ id }) => id),
      oneTimeIds: oneTime.map(({ id }) => id),
    };
    await this.repository.move(tx, projectId, move, nowMs);
    await this.record(tx, projectId, handover, timeOf(to, nowMs));
    from.subscriptions = from.subscriptions.filter((row) => !subscriptions.includes(row));
    from.purchases = from.purchases.filter((row) => !oneTime.includes(row));
    to.subscriptions.push(...subscriptions.map((row) => ({ ...row, customerId: to.id })));
    to.purchases.push(...oneTime.map((row) => ({ ...row, customerId: to.id })));
    builder.touch(from);
    builder.addEvent(
      to,
      from,
      {
        type: 'TRANSFER',
        // Request ids may be a client's: two requests of one id are still two moves.
        dedupeKey: `tr:${cause.requestId}:${to.id}:${to.eventSequence}`,
        occurredAtMs: timeOf(to, nowMs),
        subscriptionId: null,
        purchaseId: null,
        appId: place.appId,
        environment: place.environment,
        delivery: 'send',
      },
      (head) => transferEventBody(head, from, to, place),
    );
  }

  private decideOne(
    owner: CustomerRow,
    { claim, poster, behavior, nowMs }: OwnershipQuestion,
  ): OwnershipDecision {
    if (owner.testClockId !== (poster?.testClockId ?? null)) return 'refuse';
    const ownerMs = timeOf(owner, nowMs);
    return decideOwnership({
      behavior,
      isRestore: claim.isRestore,
      ownerIsIdentified: isIdentified(owner),
      ownerHasActiveSubscription: subscriptionsOfAccount(owner, claim).some((row) =>
        givesAccess(row, claim, ownerMs),
      ),
    });
  }

  private async move(
    tx: Transaction,
    builder: ChangeBuilder,
    owner: CustomerRow,
    { claim, poster, behavior, nowMs }: OwnershipRequest,
  ): Promise<void> {
    const { projectId, appId, store, environment, requestId, isRestore, purchases } = claim;
    const handover = {
      from: owner,
      to: poster,
      subscriptions: claimedSubscriptions(owner, claim),
      oneTime: purchases.flatMap((name) => oneTimeOfPurchase(owner.purchases, claim, name) ?? []),
      cause: { rule: behavior, isRestore, requestId } as OwnershipCause,
      place: { appId, store, environment },
    };
    await this.handOver(tx, projectId, builder, handover, nowMs);
  }

  private record(
    tx: Transaction,
    projectId: string,
    { from, to, subscriptions, oneTime, cause }: Omit<Handover, 'place'>,
    atMs: number,
  ): Promise<void> {
    const changes = [...subscriptions, ...oneTime].map(({ id }) => ({
      ...cause,
      id: newId('ownershipChange', atMs),
      purchaseId: id,
      fromCustomerId: from.id,
      fromAppUserId: from.originalAppUserId,
      toCustomerId: to.id,
      toAppUserId: to.originalAppUserId,
    }));
    return this.records.insert(tx, projectId, changes, new Date(atMs));
  }
}
