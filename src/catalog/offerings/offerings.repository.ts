import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type QueryDeepPartialEntity, Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Offering } from './offering.entity.js';

@Injectable()
export class OfferingsRepository {
  constructor(@InjectRepository(Offering) private readonly offerings: Repository<Offering>) {}

  async insert(tx: Transaction, offering: Offering): Promise<void> {
    await onTransaction(this.offerings, tx).insert(offering as QueryDeepPartialEntity<Offering>);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: Offering): Promise<void> {
    await onTransaction(this.offerings, tx).update(
      { projectId, id },
      columns as QueryDeepPartialEntity<Offering>,
    );
  }

  async unsetCurrent(tx: Transaction, projectId: string): Promise<void> {
    await onTransaction(this.offerings, tx).update({ projectId, isCurrent: true }, { isCurrent: false });
  }

  /** Deletes the offering with its packages; returns false if there is no such offering. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.offerings, tx).delete({ projectId, id });
    return affected === 1;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<Offering | null> {
    return onTransaction(this.offerings, tx).findOneBy({ projectId, id });
  }

  findMany(projectId: string, ids: string[], tx?: Transaction): Promise<Offering[]> {
    return onTransaction(this.offerings, tx).findBy({ projectId, id: Any(ids) });
  }

  active(projectId: string, tx?: Transaction): Promise<Offering[]> {
    return onTransaction(this.offerings, tx).findBy({ projectId, state: 'active' });
  }

  hasAny(tx: Transaction, projectId: string): Promise<boolean> {
    return onTransaction(this.offerings, tx).existsBy({ projectId });
  }

  page(projectId: string, page: PageRequest): Promise<Offering[]> {
    return keysetPage(this.offerings, { projectId }, page);
  }
}
