import { Injectable } from '@nestjs/common';
import { startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import {
  type CustomerRevenue,
  type TransactionFilter,
  type TransactionRow,
  TransactionsRepository,
  type UnconvertedMoney,
} from './transactions.repository.js';

@Injectable()
export class TransactionsService {
  constructor(private readonly repository: TransactionsRepository) {}

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: TransactionFilter, page: PageRequest): Promise<TransactionRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, filter, id));
    return this.repository.page(projectId, filter, page, after);
  }

  /** By customer id, without customers who have no purchases. */
  revenueOf(projectId: string, customerIds: string[]): Promise<Map<string, CustomerRevenue>> {
    return this.repository.revenueOf(projectId, customerIds);
  }

  unconverted(projectId: string): Promise<UnconvertedMoney[]> {
    return this.repository.unconverted(projectId);
  }
}
