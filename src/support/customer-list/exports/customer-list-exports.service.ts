import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { customerHeader } from '../customer-lines.js';
import { CustomerListService } from '../customer-list.service.js';
import { readSavedFilters } from '../saved/saved-filters.policy.js';
import type { CustomerListExportEntity } from './customer-list-export.entity.js';
import { CustomerListExportsJob } from './customer-list-exports.job.js';
import { CustomerListExportsRepository } from './customer-list-exports.repository.js';
import { EXPORT_LIFETIME_MS } from './export-limits.js';

/** Exports of a project, those whose files are stored included. */
const MAX_EXPORTS = 10;
const MAX_RUNNING = 2;
const RETRY_S = 60;

const decompress = promisify(gunzip);

/** Files with lists of customers of any length, written by a job. */
@Injectable()
export class CustomerListExportsService {
  constructor(
    private readonly repository: CustomerListExportsRepository,
    private readonly job: CustomerListExportsJob,
    private readonly lists: CustomerListService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(projectId: string, page: PageRequest): Promise<CustomerListExportEntity[]> {
    return this.repository.page(projectId, this.now(), page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string, tx?: Transaction): Promise<CustomerListExportEntity> {
    const found = await this.repository.find(projectId, id, this.now(), tx);
    if (!found) throw ApiError.missing('export', id);
    return found;
  }

  /** @throws ApiError 400 for an invalid filter, 422 for too many exports, 503 while lists are incomplete */
  async create(write: ProjectWrite, given: Record<string, unknown>): Promise<CustomerListExportEntity> {
    const { projectId } = write;
    const filters = readSavedFilters(given, await this.catalogs.getCurrent(projectId));
    if (!(await this.lists.isComplete(projectId)))
      throw new ApiError('overloaded', 'Earlier customers are still being added to lists; try again later.', {
        retryAfterS: RETRY_S,
      });
    return this.writes.run(write, async (tx) => {
      await this.repository.lockProject(tx, projectId);
      const now = new Date(tx.nowMs());
      const { all, running } = await this.repository.count(tx, projectId, now);
      if (running >= MAX_RUNNING)
        throw new ApiError('impossible', `${MAX_RUNNING} exports are running. Wait for one, or cancel it.`);
      if (all >= MAX_EXPORTS)
        throw new ApiError('impossible', `A project has at most ${MAX_EXPORTS} exports. Delete one.`);
      const row: CustomerListExportEntity = {
        projectId,
        id: newId('customerListExport', now.getTime()),
        filters,
        state: 'running',
        failure: null,
        restarts: 0,
        afterCustomerId: '',
        writtenRows: 0,
        totalRows: null,
        pieces: 0,
        bytes: 0,
        leaseUntil: null,
        createdAt: now,
        finishedAt: null,
        expiresAt: new Date(now.getTime() + EXPORT_LIFETIME_MS),
      };
      await this.repository.insert(tx, row);
      // Filters may name people, so they are not recorded.
      await tx.audit({ action: 'created', target: 'customer_list_export', targetId: row.id });
      tx.afterCommit(() => this.job.wake());
      return row;
    });
  }

  /** Records the download in the audit log, and returns the file's parts. @throws ApiError 404, 422 if not ready */
  async openFile(write: ProjectWrite, id: string): Promise<AsyncGenerator<string | Buffer>> {
    const { projectId } = write;
    const found = await this.writes.run(write, async (tx) => {
      const row = await this.get(projectId, id, tx);
      if (row.state !== 'ready')
        throw new ApiError(
          'impossible',
          `The export is ${row.state === 'running' ? 'still running' : row.state}.`,
        );
      const data = { customers: row.writtenRows };
      await tx.audit({ action: 'downloaded', target: 'customer_list_export', targetId: id, data });
      return row;
    });
    return this.parts(found);
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      await this.get(write.projectId, id, tx);
      await this.repository.delete(tx, write.projectId, id);
      await tx.audit({ action: 'deleted', target: 'customer_list_export', targetId: id });
      return tx.nowMs();
    });
  }

  /** Deletes the project's files, which may contain a customer who is being erased. Running exports start again. */
  forgetCustomers(tx: Transaction, projectId: string): Promise<void> {
    return this.repository.discardFiles(tx, projectId);
  }

  /** @throws Error if the file is deleted meanwhile, so that its beginning is not mistaken for the whole */
  private async *parts({ projectId, id, pieces }: CustomerListExportEntity): AsyncGenerator<string | Buffer> {
    yield customerHeader;
    for (let number = 1; number <= pieces; number++) {
      const piece = await this.repository.piece(projectId, id, number);
      if (piece === null) throw new Error(`The file of export ${id} was deleted during a download`);
      yield decompress(piece);
    }
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}
