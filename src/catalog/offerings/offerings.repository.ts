import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import type { Executor } from '../../platform/database/database.js';
import { findByKey } from '../../platform/database/find-by-key.js';
import { keysetPage } from '../../platform/http/keyset.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { Offering } from './offering.entity.js';

@Injectable()
export class OfferingsRepository {
  async insert(executor: Executor, offering: Offering): Promise<void> {
    await executor.manager.getRepository(Offering).insert(offering as QueryDeepPartialEntity<Offering>);
  }

  async update(executor: Executor, { projectId, id, ...columns }: Offering): Promise<void> {
    await executor.manager
      .getRepository(Offering)
      .update({ projectId, id }, columns as QueryDeepPartialEntity<Offering>);
  }

  /** Leaves the project without a current offering. */
  async unsetCurrent(executor: Executor, projectId: string): Promise<void> {
    await executor.manager
      .getRepository(Offering)
      .update({ projectId, isCurrent: true }, { isCurrent: false });
  }

  /** Deletes the offering with its packages; false when there is no such offering. */
  async delete(executor: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(Offering).delete({ projectId, id });
    return affected === 1;
  }

  find(executor: Executor, projectId: string, id: string): Promise<Offering | null> {
    return findByKey(executor, Offering, { projectId, id });
  }

  hasAny(executor: Executor, projectId: string): Promise<boolean> {
    return executor.manager.getRepository(Offering).existsBy({ projectId });
  }

  /** One more than a page. */
  page(executor: Executor, projectId: string, page: PageRequest): Promise<Offering[]> {
    return keysetPage(executor.manager.getRepository(Offering), { projectId }, page);
  }
}
