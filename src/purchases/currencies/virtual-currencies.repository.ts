import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import type { Executor } from '../../platform/database/database.js';
import { keysetPageBy } from '../../platform/http/keyset.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

/** Definitions of currencies. */
@Injectable()
export class VirtualCurrenciesRepository {
  async insert(executor: Executor, currency: VirtualCurrency): Promise<void> {
    await executor.manager.getRepository(VirtualCurrency).insert(currency);
  }

  async update(executor: Executor, { projectId, code, ...columns }: VirtualCurrency): Promise<void> {
    await executor.manager.getRepository(VirtualCurrency).update({ projectId, code }, columns);
  }

  /** Deletes a currency with its grants, balances and history; false when there is none. */
  async delete(executor: Executor, projectId: string, code: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(VirtualCurrency).delete({ projectId, code });
    return affected === 1;
  }

  find(executor: Executor, projectId: string, code: string): Promise<VirtualCurrency | null> {
    return executor.manager.getRepository(VirtualCurrency).findOneBy({ projectId, code });
  }

  count(executor: Executor, projectId: string): Promise<number> {
    return executor.manager.getRepository(VirtualCurrency).countBy({ projectId });
  }

  /** One more than a page, oldest first; the code is the cursor. */
  page(executor: Executor, projectId: string, page: PageRequest): Promise<VirtualCurrency[]> {
    return keysetPageBy(executor.manager.getRepository(VirtualCurrency), { projectId }, page, [
      'createdAt',
      'code',
    ]);
  }

  async replaceGrants(
    executor: Executor,
    projectId: string,
    code: string,
    grants: VirtualCurrencyGrant[],
  ): Promise<void> {
    const repository = executor.manager.getRepository(VirtualCurrencyGrant);
    await repository.delete({ projectId, code });
    if (grants.length > 0) await repository.insert(grants);
  }

  /** What products grant of some currencies, in the order it was given. */
  grants(executor: Executor, projectId: string, codes: string[]): Promise<VirtualCurrencyGrant[]> {
    return executor.manager.getRepository(VirtualCurrencyGrant).find({
      where: { projectId, code: Any(codes) },
      order: { position: 'ASC', productId: 'ASC' },
    });
  }
}
