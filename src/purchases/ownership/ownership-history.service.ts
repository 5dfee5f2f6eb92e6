import { Injectable } from '@nestjs/common';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { type OwnershipChangeRow, OwnershipChangesRepository } from './ownership-changes.repository.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';

@Injectable()
export class OwnershipHistoryService {
  constructor(
    private readonly changes: OwnershipChangesRepository,
    private readonly lookups: PurchaseLookupsService,
  ) {}

  /** Up to `limit + 1` rows, newest first. @throws ApiError 404; 400 for a cursor of another list */
  async page(
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
      this.changes.placeOf(projectId, purchaseId, changeId),
    );
    return this.changes.page(projectId, purchaseId, page, after);
  }
}
