import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { CustomerListEntity } from './customer-list.entity.js';
import type { CreateCustomerListDto, UpdateCustomerListDto } from './saved-customer-list.dto.js';
import { SavedCustomerListsRepository } from './saved-customer-lists.repository.js';
import { readSavedFilters } from './saved-filters.policy.js';

const MAX_LISTS = 200;

/** Lists of customers that a project has saved. */
@Injectable()
export class SavedCustomerListsService {
  constructor(
    private readonly repository: SavedCustomerListsRepository,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(projectId: string, page: PageRequest): Promise<CustomerListEntity[]> {
    return this.repository.page(projectId, page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<CustomerListEntity> {
    return found(await this.repository.find(projectId, id), id);
  }

  /** @throws ApiError 400 for an invalid filter, 422 for too many lists */
  async create(write: ProjectWrite, body: CreateCustomerListDto): Promise<CustomerListEntity> {
    const { projectId } = write;
    const filters = readSavedFilters(body.filters, await this.catalogs.getCurrent(projectId));
    return this.writes.run(write, async (tx) => {
      if ((await this.repository.count(tx, projectId)) >= MAX_LISTS)
        throw new ApiError('impossible', `A project has at most ${MAX_LISTS} customer lists.`);
      const now = new Date(tx.nowMs());
      const list: CustomerListEntity = {
        projectId,
        id: newId('customerList', now.getTime()),
        displayName: body.display_name,
        filters,
        sort: body.sort ?? 'last_seen',
        sortOrder: body.order ?? 'desc',
        createdAt: now,
        updatedAt: now,
      };
      await this.repository.insert(tx, list);
      await tx.audit({ action: 'created', target: 'customer_list', targetId: list.id });
      return list;
    });
  }

  /** Absent fields stay unchanged; `filters` replaces all. @throws ApiError 400 for an invalid filter, 404 */
  async update(write: ProjectWrite, id: string, body: UpdateCustomerListDto): Promise<CustomerListEntity> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    return this.writes.run(write, async (tx) => {
      const before = found(await this.repository.find(projectId, id, tx), id);
      const list: CustomerListEntity = {
        ...before,
        displayName: body.display_name ?? before.displayName,
        filters: body.filters === undefined ? before.filters : readSavedFilters(body.filters, catalog),
        sort: body.sort ?? before.sort,
        sortOrder: body.order ?? before.sortOrder,
        updatedAt: new Date(tx.nowMs()),
      };
      await this.repository.update(tx, list);
      // Filters may name people, so their values are not recorded.
      const data = auditChanges(before, list, ['displayName', 'sort', 'sortOrder']);
      await tx.audit({ action: 'updated', target: 'customer_list', targetId: id, data });
      return list;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      found(await this.repository.find(write.projectId, id, tx), id);
      await this.repository.delete(tx, write.projectId, id);
      await tx.audit({ action: 'deleted', target: 'customer_list', targetId: id });
      return tx.nowMs();
    });
  }
}

/** @throws ApiError 404 */
function found(list: CustomerListEntity | null, id: string): CustomerListEntity {
  if (!list) throw ApiError.missing('customer list', id);
  return list;
}
