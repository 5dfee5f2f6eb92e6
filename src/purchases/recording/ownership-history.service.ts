import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/api-error.js';
import { startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { type OwnershipChangeRow, OwnershipChangesRepository } from './ownership-changes.repository.js';

@Injectable()
export class OwnershipHistoryService {
  constructor(private readonly changes: OwnershipChangesRepository) {}

  /** Up to `limit + 1` rows, newest first. @throws ApiError 404; 400 for a cursor of another list */
  async page(
    projectId: string,
    kind: 'subscription' | 'purchase',
    purchaseId: string,
    page: PageRequest,
  ): Promise<OwnershipChangeRow[]> {
    if (!(await this.changes.hasPurchase(projectId, kind, purchaseId)))
      throw ApiError.missing(kind, purchaseId);
    const after = await startOf(page.after, ['time'], (id) =>
      this.changes.placeOf(projectId, purchaseId, id),
    );
    return this.changes.page(projectId, purchaseId, page, after);
  }
}
