import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { CustomerListEntity } from './customer-list.entity.js';

@Injectable()
export class SavedCustomerListsRepository {
  constructor(@InjectRepository(CustomerListEntity) private readonly lists: Repository<CustomerListEntity>) {}

  page(projectId: string, page: PageRequest): Promise<CustomerListEntity[]> {
    return keysetPage(this.lists, { projectId }, page);
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<CustomerListEntity | null> {
    return onTransaction(this.lists, tx).findOneBy({ projectId, id });
  }

  count(tx: Transaction, projectId: string): Promise<number> {
    return onTransaction(this.lists, tx).countBy({ projectId });
  }

  async insert(tx: Transaction, list: CustomerListEntity): Promise<void> {
    await onTransaction(this.lists, tx).insert(list);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: CustomerListEntity): Promise<void> {
    await onTransaction(this.lists, tx).update({ projectId, id }, columns);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.lists, tx).delete({ projectId, id });
  }
}
