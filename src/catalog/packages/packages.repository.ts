import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import type { EligibilityCriteria } from '../snapshot/catalog.model.js';
import type { Executor } from '../../platform/database/database.js';
import { findByKey } from '../../platform/database/find-by-key.js';
import { keysetPageBy } from '../../platform/http/keyset.js';
import { statement } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { AttachedProduct } from './package-product.entity.js';
import { Package } from './package.entity.js';

const nextPosition = statement(
  'packages.next_position',
  `SELECT max(position) + 1 AS position FROM packages WHERE project_id = $1 AND offering_id = $2`,
);

const attach = statement(
  'packages.attach_products',
  `INSERT INTO package_products (project_id, package_id, product_id, eligibility_criteria, created_at)
   SELECT $1, $2, product_id, eligibility_criteria, $5
   FROM unnest($3::text[], $4::text[]) AS attached (product_id, eligibility_criteria)
   ON CONFLICT (project_id, package_id, product_id) DO UPDATE SET eligibility_criteria = excluded.eligibility_criteria`,
);

const detach = statement(
  'packages.detach_products',
  `DELETE FROM package_products WHERE project_id = $1 AND package_id = $2 AND product_id = ANY($3::text[])`,
);

const productsOfOffering = statement(
  'packages.products_of_offering',
  `SELECT DISTINCT a.product_id AS id FROM packages k
   JOIN package_products a ON a.project_id = k.project_id AND a.package_id = k.id
   WHERE k.project_id = $1 AND k.offering_id = $2`,
);

@Injectable()
export class PackagesRepository {
  async insert(executor: Executor, row: Package): Promise<void> {
    await executor.manager.getRepository(Package).insert(row);
  }

  async update(executor: Executor, { projectId, id, ...columns }: Package): Promise<void> {
    await executor.manager.getRepository(Package).update({ projectId, id }, columns);
  }

  /** False when there is no such package. */
  async delete(executor: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(Package).delete({ projectId, id });
    return affected === 1;
  }

  find(executor: Executor, projectId: string, id: string): Promise<Package | null> {
    return findByKey(executor, Package, { projectId, id });
  }

  /** One more than a page of an offering's packages, in the order the SDKs show them. */
  page(executor: Executor, projectId: string, offeringId: string, page: PageRequest): Promise<Package[]> {
    return keysetPageBy(executor.manager.getRepository(Package), { projectId, offeringId }, page, [
      'position',
      'createdAt',
      'id',
    ]);
  }

  /** All packages of some offerings, each offering's in order. */
  ofOfferings(executor: Executor, projectId: string, offeringIds: string[]): Promise<Package[]> {
    return executor.manager.getRepository(Package).find({
      where: { projectId, offeringId: Any(offeringIds) },
      order: { position: 'ASC', createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** The position behind an offering's last package. */
  async nextPosition(executor: Executor, projectId: string, offeringId: string): Promise<number> {
    const [row] = await executor.query<{ position: number | null }>(nextPosition, [projectId, offeringId]);
    return row?.position ?? 0;
  }

  /** A product that is attached already gets the new criteria. */
  async attach(
    executor: Executor,
    projectId: string,
    id: string,
    products: ReadonlyMap<string, EligibilityCriteria>,
    now: Date,
  ): Promise<void> {
    await executor.query(attach, [projectId, id, [...products.keys()], [...products.values()], now]);
  }

  async detach(executor: Executor, projectId: string, id: string, productIds: string[]): Promise<void> {
    await executor.query(detach, [projectId, id, productIds]);
  }

  /** What is attached to some packages, in the order it was attached. */
  attached(executor: Executor, projectId: string, packageIds: string[]): Promise<AttachedProduct[]> {
    return executor.manager.getRepository(AttachedProduct).find({
      where: { projectId, packageId: Any(packageIds) },
      order: { createdAt: 'ASC', productId: 'ASC' },
    });
  }

  /** One more than a page of what is attached to a package, in the order it was attached. */
  attachedPage(
    executor: Executor,
    projectId: string,
    packageId: string,
    page: PageRequest,
  ): Promise<AttachedProduct[]> {
    const order = ['createdAt', 'productId'] as const;
    return keysetPageBy(
      executor.manager.getRepository(AttachedProduct),
      { projectId, packageId },
      page,
      order,
    );
  }

  async productsOfOffering(executor: Executor, projectId: string, offeringId: string): Promise<string[]> {
    const rows = await executor.query<{ id: string }>(productsOfOffering, [projectId, offeringId]);
    return rows.map(({ id }) => id);
  }
}
