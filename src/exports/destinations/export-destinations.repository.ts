import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { sqlState } from '../../platform/database/database-errors.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ExportDestination } from './export-destination.entity.js';

const FOREIGN_KEY_VIOLATION = '23503';

export type DestinationChanges = Partial<Omit<ExportDestination, 'projectId' | 'id' | 'kind' | 'createdAt'>>;

@Injectable()
export class ExportDestinationsRepository {
  constructor(@InjectRepository(ExportDestination) private readonly rows: Repository<ExportDestination>) {}

  /** Oldest first. */
  page(projectId: string, page: PageRequest): Promise<ExportDestination[]> {
    return keysetPage(this.rows, { projectId }, page);
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<ExportDestination | null> {
    return (tx ? onTransaction(this.rows, tx) : this.rows).findOneBy({ projectId, id });
  }

  lock(tx: Transaction, projectId: string, id: string): Promise<ExportDestination | null> {
    const options = { where: { projectId, id }, lock: { mode: 'pessimistic_write' } } as const;
    return onTransaction(this.rows, tx).findOne(options);
  }

  count(tx: Transaction, projectId: string): Promise<number> {
    return onTransaction(this.rows, tx).countBy({ projectId });
  }

  async insert(tx: Transaction, destination: ExportDestination): Promise<void> {
    await onTransaction(this.rows, tx).insert(destination);
  }

  async update(tx: Transaction, projectId: string, id: string, changes: DestinationChanges): Promise<void> {
    await onTransaction(this.rows, tx).update({ projectId, id }, changes);
  }

  /** The transaction cannot continue after `in_use`. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<'deleted' | 'missing' | 'in_use'> {
    try {
      const { affected } = await onTransaction(this.rows, tx).delete({ projectId, id });
      return affected === 1 ? 'deleted' : 'missing';
    } catch (error) {
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) return 'in_use';
      throw error;
    }
  }

  async removeSecrets(tx: Transaction, projectId: string): Promise<void> {
    await onTransaction(this.rows, tx).update({ projectId }, { sealedSecrets: null, secretTimes: {} });
  }
}
