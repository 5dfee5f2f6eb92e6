import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { CustomersService } from '../customers/identity/customers.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import {
  type BlockedBy,
  type BlockedCustomerRow,
  BlockedCustomersRepository,
  placeOfBlock,
} from './blocked-customers.repository.js';

export interface Block {
  appUserId: string;
  note: string | null;
  by: BlockedBy;
}

/**
 * Ids that receive no entitlements, whatever is bought with them. Every change locks the customer, or the id if it has
 * no customer yet: an answer prepared at the same time is either newer than the change or discarded.
 */
@Injectable()
export class BlockedCustomersService {
  constructor(
    private readonly repository: BlockedCustomersRepository,
    private readonly customers: CustomersService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** If the id is already blocked, replaces the note. @throws ApiError 400 for an id that no customer can have */
  block(
    write: ProjectWrite,
    { appUserId, note, by }: Block,
  ): Promise<{ row: BlockedCustomerRow; isNew: boolean }> {
    assertAppUserId(appUserId);
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockOrReserve(tx, projectId, appUserId);
      const now = new Date(tx.nowMs());
      const isNew = await this.repository.block(tx, projectId, { appUserId, note, now, by });
      if (isNew && customer) await this.customers.answersChanged(tx, projectId, customer.id);
      await this.writes.within(tx, this.answering(write, isNew ? 201 : 200)).audit({
        action: isNew ? 'created' : 'updated',
        target: 'blocked_customer',
        targetId: appUserId,
      });
      const row = await this.repository.find(projectId, appUserId, tx);
      if (!row) throw new Error('a block vanished in its own transaction');
      return { row, isNew };
    });
  }

  /** Blocks ids in the caller's transaction, which has locked their customers. Returns the newly blocked ids. */
  async blockIn(
    tx: Transaction,
    projectId: string,
    appUserIds: string[],
    by: BlockedBy,
    nowMs: number,
  ): Promise<string[]> {
    const added: string[] = [];
    for (const appUserId of [...appUserIds].sort()) {
      const block = { appUserId, note: null, now: new Date(nowMs), by };
      if (await this.repository.block(tx, projectId, block)) added.push(appUserId);
    }
    return added;
  }

  /** Returns the time (epoch ms). @throws ApiError 404 for an id that is not blocked */
  async unblock(write: ProjectWrite, appUserId: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockOrReserve(tx, projectId, appUserId);
      if (!(await this.repository.unblock(tx, projectId, appUserId))) throw this.unknown(appUserId);
      if (customer) await this.customers.answersChanged(tx, projectId, customer.id);
      await tx.audit({
        action: 'deleted',
        target: 'blocked_customer',
        targetId: appUserId,
      });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, appUserId: string): Promise<BlockedCustomerRow> {
    const row = await this.repository.find(projectId, appUserId);
    if (!row) throw this.unknown(appUserId);
    return row;
  }

  /** Up to `limit + 1` rows, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, page: PageRequest): Promise<BlockedCustomerRow[]> {
    const after = await startOf(page.after, ['time'], async (appUserId) => {
      const found = await this.repository.find(projectId, appUserId);
      return found && placeOfBlock(found);
    });
    return this.repository.page(projectId, page, after);
  }

  private unknown(appUserId: string): ApiError {
    return ApiError.missing('blocked customer', appUserId);
  }

  /** The status depends on whether the id was already blocked. */
  private answering(write: ProjectWrite, status: number): ProjectWrite {
    return { ...write, request: write.request && { ...write.request, status } };
  }
}
