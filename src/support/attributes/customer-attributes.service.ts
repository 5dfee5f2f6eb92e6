import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import {
  type LiveAttribute,
  liveAttributes,
} from '../../customers/customers/customer-info/customer-attributes.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { AttributeChangesService } from './attribute-changes.service.js';

@Injectable()
export class CustomerAttributesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly queries: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly changes: AttributeChangesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Sets all or none. Returns all, sorted by name. @throws ApiError 404 for an unknown customer, 400 for too many
   * attributes
   */
  async set(write: ProjectWrite, appUserId: string, inputs: AttributeInput[]): Promise<LiveAttribute[]> {
    const { projectId } = write;
    const catalog = await this.catalogs.get(projectId);
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.changes.set(tx, catalog, customer, inputs);
      await tx.audit({
        action: 'attributes_set',
        target: 'customer',
        targetId: customer.originalAppUserId,
        data: { names: [...new Set(inputs.map(({ name }) => name))].sort() },
      });
      return liveAttributes(customer.attributes);
    });
  }

  /** Returns a customer's live attributes, sorted by name. @throws ApiError 404 */
  async list(projectId: string, appUserId: string): Promise<LiveAttribute[]> {
    const { attributes } = await this.queries.get(projectId, appUserId);
    return liveAttributes(attributes);
  }
}
