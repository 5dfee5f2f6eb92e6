import { Injectable } from '@nestjs/common';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { deleteInBatches } from '../../platform/jobs/batches.js';
import { ERASURE_BATCH } from './erasure.job.js';
import { type Erased, ErasureRepository } from './erasure.repository.js';
import { ErasureService } from './erasure.service.js';

@Injectable()
export class CustomerDeletionService {
  constructor(
    private readonly customers: CustomersService,
    private readonly repository: ErasureRepository,
    private readonly erasures: ErasureService,
    private readonly database: DatabaseService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Permanently deletes a customer with ids, attributes, purchases, payments, history and stored idempotent responses.
   * Payments that are too many for one transaction are removed before it, in batches: left until later, they would
   * block the same purchases posted again. A history that is too long is removed right after it, and a second audit row
   * records the completion. The ids become available again. Returns the time (epoch ms).
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, appUserId: string): Promise<number> {
    const { projectId } = write;
    const before = await this.trim(projectId, appUserId);
    return this.writes.run(write, async (tx) => {
      const { id: customerId } = await this.customers.lockExisting(tx, projectId, appUserId);
      const { erased, isComplete } = await this.erasures.erase(
        tx,
        { projectId, customerId },
        appUserId,
        before,
      );
      await tx.audit({
        action: 'deleted',
        target: 'customer',
        targetId: appUserId,
        data: { erased, complete: isComplete },
      });
      return tx.nowMs();
    });
  }

  /** Removes, in batches, rows that are too many for one transaction. Returns the number of rows of each kind. */
  private async trim(projectId: string, appUserId: string): Promise<Erased> {
    const long = await this.repository.longTables(this.database, projectId, appUserId, ERASURE_BATCH);
    const erased: Erased = {};
    for (const table of long?.tables ?? []) {
      await deleteInBatches(async (limit) => {
        const erasure = { projectId, customerId: long?.customerId ?? '' };
        const removed = await this.repository.trim(this.database, erasure, table, limit);
        erased[table] = (erased[table] ?? 0) + removed;
        return removed;
      });
    }
    return erased;
  }
}
