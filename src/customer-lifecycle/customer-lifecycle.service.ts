import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type { AttributeInput } from '../attributes/attribute-merge.js';
import { AttributesService } from '../attributes/attributes.service.js';
import { AuditLog } from '../audit/audit-log.js';
import type { ProjectWrite } from '../audit/project-write.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersService } from '../customers/customers.service.js';
import { Database, type Transaction } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { ClockMembersService } from '../test-clocks/clock-members.service.js';
import { ERASURE_BATCH, ErasureJob } from './erasure.job.js';
import { ErasureRepository } from './erasure.repository.js';

/** How customers begin and end on a backend's word. */
@Injectable()
export class CustomerLifecycleService {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(AttributesService) private readonly attributes: AttributesService,
    @Inject(ErasureRepository) private readonly erasures: ErasureRepository,
    @Inject(ClockMembersService) private readonly members: ClockMembersService,
    @Inject(ErasureJob) private readonly job: ErasureJob,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(Database) private readonly database: Database,
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
      const clock =
        testClockId === null
          ? null
          : await this.members.lockOpen(tx, projectId, testClockId, 'test_clock_id');
      const nowMs = this.clock.nowMs();
      const isNew = await this.customers.create(tx, projectId, appUserId, null, nowMs);
      if (!isNew) {
        throw ApiError.alreadyExists('id', `A customer ${JSON.stringify(appUserId)} exists already.`);
      }
      if (clock) {
        const created = await this.customers.lockExisting(tx, projectId, appUserId);
        await this.members.attach(tx, projectId, clock, created);
      }
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.attributes.setIn(tx, catalog, customer, attributes);
      await this.audit.record(tx, write, { action: 'created', target: 'customer', targetId: appUserId });
      return customer;
    });
  }

  /**
   * Deletes a customer for good, with ids, attributes, purchases, money and history. A history too long for one
   * transaction is removed right after it, a batch at a time. The ids become free. Gives the time (epoch ms).
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, appUserId: string): Promise<number> {
    const { projectId } = write;
    await this.database.transaction(async (tx) => {
      const { id: customerId } = await this.customers.lockExisting(tx, projectId, appUserId);
      const erased = await this.erase(tx, projectId, customerId);
      await this.audit.record(tx, write, {
        action: 'deleted',
        target: 'customer',
        targetId: appUserId,
        data: { erased },
      });
    });
    return this.clock.nowMs();
  }

  /** Erases a locked customer, as `delete`; gives how many rows of each kind, `events` only when there are no more. */
  async erase(tx: Transaction, projectId: string, customerId: string): Promise<Record<string, number>> {
    const erasure = { projectId, customerId };
    const erased = await this.erasures.eraseCustomer(tx, erasure);
    const events = await this.erasures.eraseEvents(tx, erasure, ERASURE_BATCH);
    if (events < ERASURE_BATCH) return { ...erased, events };
    await this.erasures.enqueue(tx, erasure, new Date(this.clock.nowMs()));
    tx.afterCommit(() => void this.job.run());
    return erased;
  }
}
