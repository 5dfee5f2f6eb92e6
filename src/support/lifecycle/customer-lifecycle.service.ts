import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { AttributeInput } from '../../customers/customers/attribute-merge.js';
import { AttributesService } from '../attributes/attributes.service.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { IdempotentRequests } from '../../platform/idempotency/idempotent-requests.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { ERASURE_BATCH, ErasureJob } from './erasure.job.js';
import { TestClockMembership } from './test-clock-membership.js';
import {
  type Erased,
  type Erasure,
  ErasureRepository,
  sumOf,
  type UnfinishedErasure,
} from './erasure.repository.js';

/** How customers begin and end on a backend's word. */
@Injectable()
export class CustomerLifecycleService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly attributes: AttributesService,
    private readonly erasures: ErasureRepository,
    private readonly testClocks: TestClockMembership,
    private readonly job: ErasureJob,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * With `testClockId` the customer lives by a test clock from the beginning.
   * @throws ApiError 409 when somebody goes by that id or the clock advances, 400 for attributes that cannot be,
   *   404 for an unknown clock, 422 for one that has too many customers
   */
  async create(
    write: ProjectWrite,
    appUserId: string,
    attributes: AttributeInput[],
    testClockId: string | null,
  ): Promise<CustomerRow> {
    const { projectId } = write;
    const catalog = await this.catalogs.get(projectId);
    return this.database.transaction(async (tx) => {
      const attach =
        testClockId === null ? null : await this.testClocks.lockForNewCustomer(tx, projectId, testClockId);
      const nowMs = this.clock.nowMs();
      const isNew = await this.customers.create(tx, projectId, appUserId, null, nowMs);
      if (!isNew) {
        throw ApiError.alreadyExists('id', `A customer ${JSON.stringify(appUserId)} exists already.`);
      }
      if (attach) await attach(await this.customers.lockExisting(tx, projectId, appUserId));
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.attributes.setIn(tx, catalog, customer, attributes);
      await this.audit.record(tx, write, { action: 'created', target: 'customer', targetId: appUserId });
      return customer;
    });
  }

  /**
   * Deletes a customer for good, with ids, attributes, purchases, money, history and kept answers. Money too much for
   * one transaction goes before it, a batch at a time: it would stand in the way of the same purchases posted again. A
   * history too long goes right after it; the log then gets a second row at the end. The ids become free. Gives the
   * time (epoch ms).
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, appUserId: string): Promise<number> {
    const { projectId } = write;
    const before = await this.trim(projectId, appUserId);
    await this.database.transaction(async (tx) => {
      const { id: customerId } = await this.customers.lockExisting(tx, projectId, appUserId);
      const { erased, isComplete } = await this.erase(tx, { projectId, customerId }, appUserId, before);
      await this.audit.record(tx, write, {
        action: 'deleted',
        target: 'customer',
        targetId: appUserId,
        data: { erased, complete: isComplete },
      });
    });
    return this.clock.nowMs();
  }

  /**
   * Erases a locked customer in a transaction that does more, and without a receipt: they are gone with it, and that
   * of which there may be very much goes right after it, a batch at a time.
   */
  async eraseSoon(tx: Transaction, erasure: Erasure): Promise<void> {
    await this.requests.forgetCustomer(tx, erasure.projectId, erasure.customerId);
    await this.erasures.eraseCustomer(tx, erasure, 'most');
    await this.finishLater(tx, { ...erasure, appUserId: null, erased: {} });
  }

  /** Gives how many rows of each kind, together with those of `before`; not complete when the job goes on. */
  private async erase(
    tx: Transaction,
    erasure: Erasure,
    appUserId: string,
    before: Erased,
  ): Promise<{ erased: Erased; isComplete: boolean }> {
    await this.requests.forgetCustomer(tx, erasure.projectId, erasure.customerId);
    const rest = await this.erasures.eraseCustomer(tx, erasure, 'all');
    const events = await this.erasures.eraseEvents(tx, erasure, ERASURE_BATCH);
    const erased = sumOf(before, { ...rest, events });
    if (events < ERASURE_BATCH) return { erased, isComplete: true };
    await this.finishLater(tx, { ...erasure, appUserId, erased });
    return { erased, isComplete: false };
  }

  private async finishLater(tx: Transaction, unfinished: UnfinishedErasure): Promise<void> {
    await this.erasures.enqueue(tx, unfinished, new Date(this.clock.nowMs()));
    tx.afterCommit(() => void this.job.run());
  }

  /** Removes by batches what a customer has too much of for one transaction; gives how many rows of each kind. */
  private async trim(projectId: string, appUserId: string): Promise<Erased> {
    const long = await this.erasures.longTables(this.database, projectId, appUserId, ERASURE_BATCH);
    const erased: Erased = {};
    for (const table of long?.tables ?? []) {
      await deleteInBatches(async (limit) => {
        const erasure = { projectId, customerId: long?.customerId ?? '' };
        const removed = await this.erasures.trim(this.database, erasure, table, limit);
        erased[table] = (erased[table] ?? 0) + removed;
        return removed;
      });
    }
    return erased;
  }
}
