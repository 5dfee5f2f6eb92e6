import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import type { Executor, Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPageBy } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

@Injectable()
export class VirtualCurrenciesRepository {
  constructor(
    @InjectRepository(VirtualCurrency) private readonly currencies: Repository<VirtualCurrency>,
    @InjectRepository(VirtualCurrencyGrant) private readonly productGrants: Repository<VirtualCurrencyGrant>,
  ) {}

  async insert(tx: Transaction, currency: VirtualCurrency): Promise<void> {
    await onTransaction(this.currencies, tx).insert(currency);
  }

  async update(tx: Transaction, { projectId, code, ...columns }: VirtualCurrency): Promise<void> {
    await onTransaction(this.currencies, tx).update({ projectId, code }, columns);
  }

  /** Deletes a currency with its grants, balances and history. Returns false if it does not exist. */
  async delete(tx: Transaction, projectId: string, code: string): Promise<boolean> {
    const { affected } = await onTransaction(this.currencies, tx).delete({ projectId, code });
    return affected === 1;
  }

  find(projectId: string, code: string, tx?: Executor): Promise<VirtualCurrency | null> {
    return onTransaction(this.currencies, tx).findOneBy({ projectId, code });
  }

  count(tx: Transaction, projectId: string): Promise<number> {
    return onTransaction(this.currencies, tx).countBy({ projectId });
  }

  /** Up to `limit + 1` rows, oldest first; the code is the cursor. */
  page(projectId: string, page: PageRequest): Promise<VirtualCurrency[]> {
    return keysetPageBy(this.currencies, { projectId }, page, ['createdAt', 'code']);
  }

  async replaceGrants(
    tx: Transaction,
    projectId: string,
    code: string,
    grants: VirtualCurrencyGrant[],
  ): Promise<void> {
    const repository = onTransaction(this.productGrants, tx);
    await repository.delete({ projectId, code });
    if (grants.length > 0) await repository.insert(grants);
  }

  /** The product grants of some currencies, in the order they were defined. */
  grants(projectId: string, codes: string[], tx?: Executor): Promise<VirtualCurrencyGrant[]> {
    return onTransaction(this.productGrants, tx).find({
      where: { projectId, code: Any(codes) },
      order: { position: 'ASC', productId: 'ASC' },
    });
  }
}
