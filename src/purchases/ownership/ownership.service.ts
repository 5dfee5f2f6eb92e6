import { Injectable } from '@nestjs/common';
import type { Environment, Store } from '../../../libs/engine/index.js';
import { newId } from '../../../libs/kernel/index.js';
import {
  type SubscriptionRow,
  type CustomerRow,
  type OneTimeRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { transferEventBody } from '../../webhooks/events/event-body.js';
import type { ChangeBuilder } from '../recording/change-builder.js';
import { byFacts } from '../recording/change-rows.js';
import { ChangesRepository } from '../recording/changes.repository.js';
import { OwnershipChangesRepository, type OwnershipRule } from './ownership-changes.repository.js';

export interface OwnershipCause {
  rule: OwnershipRule;
  /** From the posted receipt; null if there was none. */
  isRestore: boolean | null;
  requestId: string;
}

/** Both customers are locked. */
export interface Handover {
  from: CustomerRow;
  to: CustomerRow;
  subscriptions: SubscriptionRow[];
  oneTime: OneTimeRow[];
  cause: OwnershipCause;
  /** The origin in the TRANSFER event. */
  place: { appId: string | null; store: Store; environment: Environment };
}

@Injectable()
export class OwnershipService {
  constructor(
    private readonly customers: CustomersService,
    private readonly repository: ChangesRepository,
    private readonly records: OwnershipChangesRepository,
  ) {}

  /** Merges two locked customers and records a change of owner for everything that the source owns. */
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
    // The source continues as the target, so erasing the target must erase both.
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

  /** Moves purchases with their ledger entries, records each move, and emits one TRANSFER event. */
  async handOver(
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
    await this.record(tx, projectId, handover, timeOf(to, nowMs));
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
