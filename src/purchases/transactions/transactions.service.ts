import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import {
  type ChargeRow,
  type CustomerRevenue,
  type CustomerSpending,
  type PaymentMoney,
  type PaymentName,
  type PaymentSum,
  type TransactionFilter,
  type TransactionRow,
  TransactionsRepository,
  type UnconvertedMoney,
} from './transactions.repository.js';

@Injectable()
export class TransactionsService {
  constructor(
    private readonly repository: TransactionsRepository,
    private readonly database: DatabaseService,
  ) {}

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: TransactionFilter, page: PageRequest): Promise<TransactionRow[]> {
    const after = await startOf(page.after, ['time'], (id) => this.repository.placeOf(projectId, filter, id));
    return this.repository.page(projectId, filter, page, after);
  }

  /** By customer id. Omits customers without purchases. */
  revenueOf(projectId: string, customerIds: string[]): Promise<Map<string, CustomerRevenue>> {
    return this.repository.revenueOf(projectId, customerIds);
  }

  /** Returns payments by purchase, day and currency. Those without a USD rate are separate. */
  sumsOf(projectId: string, customerIds: string[]): Promise<PaymentSum[]> {
    return this.repository.sumsOf(projectId, customerIds);
  }

  /** The country of the newest payment that has one, by customer id. */
  countriesOf(projectId: string, customerIds: string[]): Promise<Map<string, string>> {
    return this.repository.countriesOf(projectId, customerIds);
  }

  /** A customer's payments and refunds in USD. */
  spendingOf(projectId: string, customerId: string, environment: Environment): Promise<CustomerSpending> {
    return this.repository.spendingOf(projectId, customerId, environment);
  }

  /** The amounts of a customer's payment, by an id that its store gave it. */
  moneyOf(payment: PaymentName, executor: Executor = this.database): Promise<PaymentMoney> {
    return this.repository.moneyOf(executor, payment);
  }

  /** Every ledger row of a subscription or one-time purchase, in the order of recording. */
  chargesOf(executor: Executor, projectId: string, purchaseId: string): Promise<ChargeRow[]> {
    return this.repository.chargesOf(executor, projectId, purchaseId);
  }

  unconverted(projectId: string): Promise<UnconvertedMoney[]> {
    return this.repository.unconverted(projectId);
  }
}
