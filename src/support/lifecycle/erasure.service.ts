import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { IdempotentRequestsService } from '../../platform/idempotency/idempotent-requests.service.js';
import { ErasedPurchasesService } from '../../purchases/erased/erased-purchases.service.js';
import { CustomerListExportsService } from '../customer-list/exports/customer-list-exports.service.js';
import { ERASURE_BATCH, ErasureJob } from './erasure.job.js';
import {
  type Erased,
  type Erasure,
  ErasureRepository,
  sumOf,
  type UnfinishedErasure,
} from './erasure.repository.js';

/** Erases locked customers within a larger transaction. Rows too many for it are removed right after. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly erasures: ErasureRepository,
    private readonly job: ErasureJob,
    private readonly purchases: ErasedPurchasesService,
    private readonly requests: IdempotentRequestsService,
    private readonly exports: CustomerListExportsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Erases a customer without counting the rows. */
  async eraseSoon(tx: Transaction, erasure: Erasure): Promise<void> {
    await this.forget(tx, erasure);
    await this.erasures.eraseCustomer(tx, erasure, 'most');
    await this.finishLater(tx, { ...erasure, appUserId: null, erased: {} });
  }

  /** Returns the number of rows removed of each kind, added to `before`. Not complete if the job has to continue. */
  async erase(
    tx: Transaction,
    erasure: Erasure,
    appUserId: string,
    before: Erased,
  ): Promise<{ erased: Erased; isComplete: boolean }> {
    await this.forget(tx, erasure);
    const rest = await this.erasures.eraseCustomer(tx, erasure, 'all');
    const events = await this.erasures.eraseEvents(tx, erasure, ERASURE_BATCH);
    const erased = sumOf(before, { ...rest, events });
    if (events < ERASURE_BATCH) return { erased, isComplete: true };
    await this.finishLater(tx, { ...erasure, appUserId, erased });
    return { erased, isComplete: false };
  }

  private async forget(tx: Transaction, erasure: Erasure): Promise<void> {
    await this.requests.forgetCustomer(tx, erasure.projectId, erasure.customerId);
    await this.exports.forgetCustomers(tx, erasure.projectId);
    await this.purchases.recordErased(tx, erasure, this.clock.nowMs());
  }

  private async finishLater(tx: Transaction, unfinished: UnfinishedErasure): Promise<void> {
    await this.erasures.enqueue(tx, unfinished, new Date(this.clock.nowMs()));
    tx.afterCommit(() => this.job.wake());
  }
}
