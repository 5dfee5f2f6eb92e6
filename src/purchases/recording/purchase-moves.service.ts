import { Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../../libs/engine/index.js';
import { oneTimeOfPurchase } from '../../customers/customers/customer-info/customer-purchases.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { transferEventBody } from '../../webhooks/events/event-body.js';
import { claimedSubscriptions } from '../ownership/ownership.policy.js';
import { type OwnershipChanges, OwnershipService } from '../ownership/ownership.service.js';
import type { ClaimedPurchases } from '../ownership/purchase-claims.service.js';
import { addAlias } from './apply-purchases.js';
import type { ChangeBuilder } from './change-builder.js';
import { byFacts } from './change-rows.js';
import { ChangesRepository } from './changes.repository.js';

export interface Handover extends OwnershipChanges {
  /** The origin in the TRANSFER event. */
  place: { appId: string | null; store: Store; environment: Environment };
}

/** Moves purchases to another customer, as part of the change that needs the move. */
@Injectable()
export class PurchaseMovesService {
  constructor(
    private readonly repository: ChangesRepository,
    private readonly ownership: OwnershipService,
  ) {}

  /** Moves the claimed purchases to the customer, and emits the events of the moves and of merged ids. */
  async moveClaimed(
    tx: Transaction,
    change: ChangeBuilder,
    { claim, customer, owners, rule, joined, nowMs }: ClaimedPurchases,
  ): Promise<void> {
    const { projectId, appId, store, environment, requestId, isRestore, purchases } = claim;
    for (const from of owners) {
      const handover = {
        from,
        to: customer,
        subscriptions: claimedSubscriptions(from, claim),
        oneTime: purchases.flatMap((name) => oneTimeOfPurchase(from.purchases, claim, name) ?? []),
        cause: { rule, isRestore, requestId },
        place: { appId, store, environment },
      };
      await this.move(tx, projectId, change, handover, nowMs);
    }
    for (const id of joined) addAlias(change, claim, customer, id, nowMs);
  }

  /** Moves purchases with their ledger entries, records each move, and emits one TRANSFER event. */
  async move(
    tx: Transaction,
    projectId: string,
    change: ChangeBuilder,
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
    await this.ownership.record(tx, projectId, handover, timeOf(to, nowMs));
    from.subscriptions = from.subscriptions.filter((row) => !subscriptions.includes(row));
    from.purchases = from.purchases.filter((row) => !oneTime.includes(row));
    to.subscriptions = [
      ...to.subscriptions,
      ...subscriptions.map((row) => ({ ...row, customerId: to.id })),
    ].sort(byFacts);
    to.purchases = [...to.purchases, ...oneTime.map((row) => ({ ...row, customerId: to.id }))].sort(byFacts);
    change.touch(from);
    change.addEvent(
      to,
      from,
      {
        type: 'TRANSFER',
        // Clients may choose request ids, so two requests with the same id are still two moves.
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
}
