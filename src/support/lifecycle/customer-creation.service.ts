import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { AttributeChangesService } from '../attributes/attribute-changes.service.js';
import { TestClockMembership } from './test-clock-membership.js';

@Injectable()
export class CustomerCreationService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly attributes: AttributeChangesService,
    private readonly testClocks: TestClockMembership,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * `testClockId` attaches the customer to a test clock from the start.
   * @throws ApiError 409 if the id is in use or the clock is advancing, 400 for invalid attributes, 404 for an unknown
   * clock, 422 if the clock has too many customers
   */
  async create(
    write: ProjectWrite,
    appUserId: string,
    attributes: AttributeInput[],
    testClockId: string | null,
  ): Promise<CustomerRow> {
    const { projectId } = write;
    const catalog = await this.catalogs.get(projectId);
    return this.writes.run(write, async (tx) => {
      const attach =
        testClockId === null ? null : await this.testClocks.lockForNewCustomer(tx, projectId, testClockId);
      const isNew = await this.customers.create(tx, projectId, appUserId, null, tx.nowMs());
      if (!isNew) {
        throw ApiError.alreadyExists('id', `A customer ${JSON.stringify(appUserId)} exists already.`);
      }
      if (attach) await attach(await this.customers.lockExisting(tx, projectId, appUserId));
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.attributes.set(tx, catalog, customer, attributes);
      await tx.audit({ action: 'created', target: 'customer', targetId: appUserId });
      return customer;
    });
  }
}
