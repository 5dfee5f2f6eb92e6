import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Entitlement } from './entitlement.entity.js';
import { ProductEntitlement } from './product-entitlement.entity.js';

@Injectable()
export class EntitlementsRepository {
  constructor(
    @InjectRepository(Entitlement) private readonly entitlements: Repository<Entitlement>,
    @InjectRepository(ProductEntitlement) private readonly attachments: Repository<ProductEntitlement>,
  ) {}

  async insert(tx: Transaction, entitlement: Entitlement): Promise<void> {
    await onTransaction(this.entitlements, tx).insert(entitlement);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: Entitlement): Promise<void> {
    await onTransaction(this.entitlements, tx).update({ projectId, id }, columns);
  }

  /** Deletes the entitlement and detaches its products; returns false if there is no such entitlement. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.entitlements, tx).delete({ projectId, id });
    return affected === 1;
  }

  async hold(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const lock = { mode: 'for_key_share' } as const;
    return (await onTransaction(this.entitlements, tx).findOne({ where: { projectId, id }, lock })) !== null;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<Entitlement | null> {
    return onTransaction(this.entitlements, tx).findOneBy({ projectId, id });
  }

  page(projectId: string, page: PageRequest): Promise<Entitlement[]> {
    return keysetPage(this.entitlements, { projectId }, page);
  }

  /** Products that are already attached are not changed. */
  async attach(
    tx: Transaction,
    projectId: string,
    entitlementId: string,
    productIds: string[],
    createdAt: Date,
  ): Promise<void> {
    const rows = productIds.map((productId) => ({ projectId, entitlementId, productId, createdAt }));
    const insert = onTransaction(this.attachments, tx).createQueryBuilder().insert();
    await insert.values(rows).orIgnore().execute();
  }

  async detach(
    tx: Transaction,
    projectId: string,
    entitlementId: string,
    productIds: string[],
  ): Promise<void> {
    const attached = { projectId, entitlementId, productId: Any(productIds) };
    await onTransaction(this.attachments, tx).delete(attached);
  }

  /** The attachments of several entitlements, unordered. */
  attached(projectId: string, ids: string[], tx?: Transaction): Promise<ProductEntitlement[]> {
    return onTransaction(this.attachments, tx).findBy({ projectId, entitlementId: Any(ids) });
  }
}
