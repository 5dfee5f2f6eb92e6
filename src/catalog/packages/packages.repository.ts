import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import type { EligibilityCriteria } from '../snapshot/catalog.model.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPageBy } from '../../platform/http/lists/keyset.js';
import { statement } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { AttachedProduct } from './package-product.entity.js';
import { Package } from './package.entity.js';

const productsOfOffering = statement(
  'packages.products_of_offering',
  `SELECT DISTINCT a.product_id AS id FROM packages k
   JOIN package_products a ON a.project_id = $1 AND a.package_id = k.id
   WHERE k.project_id = $1 AND k.offering_id = $2`,
);

@Injectable()
export class PackagesRepository {
  constructor(
    @InjectRepository(Package) private readonly packages: Repository<Package>,
    @InjectRepository(AttachedProduct) private readonly attachments: Repository<AttachedProduct>,
  ) {}

  async insert(tx: Transaction, row: Package): Promise<void> {
    await onTransaction(this.packages, tx).insert(row);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: Package): Promise<void> {
    await onTransaction(this.packages, tx).update({ projectId, id }, columns);
  }

  /** Returns false if there is no such package. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    const { affected } = await onTransaction(this.packages, tx).delete({ projectId, id });
    return affected === 1;
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<Package | null> {
    return onTransaction(this.packages, tx).findOneBy({ projectId, id });
  }

  page(projectId: string, offeringId: string, page: PageRequest): Promise<Package[]> {
    return keysetPageBy(this.packages, { projectId, offeringId }, page, ['position', 'createdAt', 'id']);
  }

  /** Returns all packages of some offerings, in order within each offering. */
  ofOfferings(projectId: string, offeringIds: string[], tx?: Transaction): Promise<Package[]> {
    return onTransaction(this.packages, tx).find({
      where: { projectId, offeringId: Any(offeringIds) },
      order: { position: 'ASC', createdAt: 'ASC', id: 'ASC' },
    });
  }

  async nextPosition(tx: Transaction, projectId: string, offeringId: string): Promise<number> {
    const last = await onTransaction(this.packages, tx).maximum('position', { projectId, offeringId });
    return last === null ? 0 : last + 1;
  }

  async attach(
    tx: Transaction,
    projectId: string,
    packageId: string,
    products: ReadonlyMap<string, EligibilityCriteria>,
    createdAt: Date,
  ): Promise<void> {
    const rows = [...products].map(([productId, eligibilityCriteria]) => {
      return { projectId, packageId, productId, eligibilityCriteria, createdAt };
    });
    const insert = onTransaction(this.attachments, tx).createQueryBuilder().insert().values(rows);
    await insert.orUpdate(['eligibility_criteria'], ['project_id', 'package_id', 'product_id']).execute();
  }

  async detach(tx: Transaction, projectId: string, packageId: string, productIds: string[]): Promise<void> {
    await onTransaction(this.attachments, tx).delete({ projectId, packageId, productId: Any(productIds) });
  }

  attached(projectId: string, packageIds: string[], tx?: Transaction): Promise<AttachedProduct[]> {
    return onTransaction(this.attachments, tx).find({
      where: { projectId, packageId: Any(packageIds) },
      order: { createdAt: 'ASC', productId: 'ASC' },
    });
  }

  attachedPage(projectId: string, packageId: string, page: PageRequest): Promise<AttachedProduct[]> {
    return keysetPageBy(this.attachments, { projectId, packageId }, page, ['createdAt', 'productId']);
  }

  async productsOfOffering(tx: Transaction, projectId: string, offeringId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(productsOfOffering, [projectId, offeringId]);
    return rows.map(({ id }) => id);
  }
}
