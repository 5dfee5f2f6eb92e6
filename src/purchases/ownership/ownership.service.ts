import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import {
  type SubscriptionRow,
  type CustomerRow,
  type OneTimeRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import {
  type OwnershipChangeRow,
  OwnershipChangesRepository,
  type OwnershipRule,
} from './ownership-changes.repository.js';

export interface OwnershipCause {
  rule: OwnershipRule;
  /** Value in the posted receipt; null if there was none. */
  isRestore: boolean | null;
  requestId: string;
}

/** Purchases that change owner. Both customers are locked. */
export interface OwnershipChanges {
  from: CustomerRow;
  to: CustomerRow;
  subscriptions: SubscriptionRow[];
  oneTime: OneTimeRow[];
  cause: OwnershipCause;
}

@Injectable()
export class OwnershipService {
  constructor(
    private readonly customers: CustomersService,
    private readonly lookups: PurchaseLookupsService,
    private readonly repository: OwnershipChangesRepository,
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
    await this.customers.merge(tx, projectId, source.id, target.id, nowMs);
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

  /** Records a change of owner for each purchase. */
  record(
    tx: Transaction,
    projectId: string,
    { from, to, subscriptions, oneTime, cause }: OwnershipChanges,
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
    return this.repository.insert(tx, projectId, changes, new Date(atMs));
  }

  /** Up to `limit + 1` changes, newest first. @throws ApiError 404; 400 for a cursor of another list */
  async changesOf(
    projectId: string,
    kind: 'subscription' | 'purchase',
    id: string,
    page: PageRequest,
  ): Promise<OwnershipChangeRow[]> {
    const purchaseId =
      kind === 'subscription'
        ? (await this.lookups.subscription(projectId, id)).owned.subscription.id
        : (await this.lookups.oneTime(projectId, id)).owned.purchase.id;
    const after = await startOf(page.after, ['time'], (changeId) =>
      this.repository.placeOf(projectId, purchaseId, changeId),
    );
    return this.repository.page(projectId, purchaseId, page, after);
  }
}
