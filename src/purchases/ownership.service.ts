import { Inject, Injectable } from '@nestjs/common';
import {
  decideOwnership,
  deriveChain,
  type OwnershipDecision,
  type TransferBehavior,
} from '../../libs/engine/index.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersService } from '../customers/customers.service.js';
import type { Transaction } from '../database/database.js';
import { transferEventBody } from '../events/event-body.js';
import type { ChangeBuilder } from './change-builder.js';
import { ChangesRepository } from './changes.repository.js';
import { chainOf } from './customer-purchases.js';
import type { PostedPurchases } from './purchase-recorder.js';

export interface OwnershipRequest {
  posted: PostedPurchases;
  poster: CustomerRow;
  /** The other customers who own some of the posted purchases. */
  owners: CustomerRow[];
  /** Keys of the posted purchases. */
  keys: string[];
  behavior: TransferBehavior;
  nowMs: number;
}

function isIdentified(customer: CustomerRow): boolean {
  return customer.aliases.some(({ isAnonymous }) => !isAnonymous);
}

/** Decides who owns posted purchases that belong to somebody else, and moves or merges accordingly. */
@Injectable()
export class OwnershipService {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(ChangesRepository) private readonly repository: ChangesRepository,
  ) {}

  /** Decides for each owner; one refusal refuses the whole receipt and nothing is written. */
  async resolve(
    tx: Transaction,
    builder: ChangeBuilder,
    request: OwnershipRequest,
  ): Promise<'done' | 'refused'> {
    const decisions = request.owners.map((owner) => this.decide(owner, request));
    if (decisions.includes('refuse')) return 'refused';
    for (const [index, owner] of request.owners.entries()) {
      if (decisions[index] === 'move') await this.move(tx, builder, owner, request);
    }
    // Merges come last: a move has written the poster's row, which a merge may remove.
    for (const [index, owner] of request.owners.entries()) {
      if (decisions[index] === 'merge') await this.merge(tx, owner, request);
    }
    return 'done';
  }

  private decide(owner: CustomerRow, { posted, keys, behavior, nowMs }: OwnershipRequest): OwnershipDecision {
    const postedChains = owner.chains.filter(
      (row) => row.store === posted.store && keys.includes(row.chainKey),
    );
    return decideOwnership({
      behavior,
      isRestore: posted.isRestore,
      ownerIsIdentified: isIdentified(owner),
      ownerHasActiveSubscription: postedChains.some(
        (row) => deriveChain(chainOf(row).facts, nowMs).givesAccess,
      ),
    });
  }

  /** An identified poster takes the anonymous owner in; otherwise the owner, who was there first, stays. */
  private async merge(
    tx: Transaction,
    owner: CustomerRow,
    { posted, poster }: OwnershipRequest,
  ): Promise<void> {
    const [source, target] = isIdentified(poster) ? [owner, poster] : [poster, owner];
    await this.customers.merge(tx, posted.projectId, source.id, target.id);
  }

  private async move(
    tx: Transaction,
    builder: ChangeBuilder,
    owner: CustomerRow,
    { posted, poster, keys, nowMs }: OwnershipRequest,
  ): Promise<void> {
    const { projectId, appId, store, environment, requestId } = posted;
    const chains = owner.chains.filter((row) => row.store === store && keys.includes(row.chainKey));
    const oneTime = owner.purchases.filter((row) => row.store === store && keys.includes(row.purchaseKey));
    const move = {
      fromCustomerId: owner.id,
      toCustomerId: poster.id,
      chainIds: chains.map(({ id }) => id),
      oneTimeIds: oneTime.map(({ id }) => id),
    };
    await this.repository.move(tx, projectId, move, nowMs);
    owner.chains = owner.chains.filter((row) => !chains.includes(row));
    owner.purchases = owner.purchases.filter((row) => !oneTime.includes(row));
    poster.chains.push(...chains.map((row) => ({ ...row, customerId: poster.id })));
    poster.purchases.push(...oneTime.map((row) => ({ ...row, customerId: poster.id })));
    builder.touch(owner);
    builder.addEvent(
      poster,
      owner,
      {
        type: 'TRANSFER',
        dedupeKey: `tr:${requestId}:${owner.id}`,
        occurredAtMs: nowMs,
        subscriptionId: null,
        purchaseId: null,
        appId,
        environment,
        delivery: 'send',
      },
      (head) => transferEventBody(head, owner, poster, { appId, store, environment }),
    );
  }
}
