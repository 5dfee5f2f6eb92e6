import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { Integration } from './integration.entity.js';

export type IntegrationChanges = Partial<Omit<Integration, 'projectId' | 'id' | 'createdAt'>>;

@Injectable()
export class IntegrationsRepository {
  constructor(@InjectRepository(Integration) private readonly integrations: Repository<Integration>) {}

  async insert(tx: Transaction, integration: Integration): Promise<void> {
    await onTransaction(this.integrations, tx).insert(integration);
  }

  find(projectId: string, id: string, tx?: Executor): Promise<Integration | null> {
    return onTransaction(this.integrations, tx).findOneBy({ projectId, id });
  }

  lock(tx: Transaction, projectId: string, id: string): Promise<Integration | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.integrations, tx).findOne({ where: { projectId, id }, lock });
  }

  /** Returns false if it was already paused. */
  async pause(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.integrations, tx).update(
      { projectId, id, enabled: true },
      { enabled: false },
    );
    return affected === 1;
  }

  page(projectId: string, page: PageRequest): Promise<Integration[]> {
    return keysetPage(this.integrations, { projectId }, page);
  }

  /** Writes only the given columns, so that concurrent updates of different fields both persist. */
  async update(tx: Transaction, projectId: string, id: string, changes: IntegrationChanges): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await onTransaction(this.integrations, tx).update({ projectId, id }, changes);
  }

  /** Returns false if it did not exist. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.integrations, tx).delete({ projectId, id });
    return affected === 1;
  }
}
