import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { EligibilityCriteria } from '../catalog/catalog.model.js';
import type { Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import { Package } from './package.entity.js';

const columns = `k.project_id AS "projectId", k.id, k.offering_id AS "offeringId", k.lookup_key AS "lookupKey",
  k.display_name AS "displayName", k.position, k.created_at AS "createdAt"`;

const page = statement(
  'packages.page',
  `SELECT ${columns} FROM packages k
   WHERE k.project_id = $1 AND k.offering_id = $2 AND ($3::text IS NULL OR (k.position, k.created_at, k.id) > (
     SELECT c.position, c.created_at, c.id FROM packages c
     WHERE c.project_id = $1 AND c.offering_id = $2 AND c.id = $3))
   ORDER BY k.position, k.created_at, k.id LIMIT $4`,
);

const nextPosition = statement(
  'packages.next_position',
  `SELECT coalesce(max(position) + 1, 0) AS position FROM packages WHERE project_id = $1 AND offering_id = $2`,
);

const attach = statement(
  'packages.attach_product',
  `INSERT INTO package_products (project_id, package_id, product_id, eligibility_criteria, created_at)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (project_id, package_id, product_id) DO UPDATE SET eligibility_criteria = excluded.eligibility_criteria`,
);

const detach = statement(
  'packages.detach_products',
  `DELETE FROM package_products WHERE project_id = $1 AND package_id = $2 AND product_id = ANY($3::text[])`,
);

const attached = statement(
  'packages.attached_products',
  `SELECT package_id AS "packageId", product_id AS "productId", eligibility_criteria AS "eligibilityCriteria"
   FROM package_products WHERE project_id = $1 AND package_id = ANY($2::text[]) ORDER BY created_at, product_id`,
);

/** Two changes of one package's products at once could each be fine and together overlap. */
const lock = statement(
  'packages.lock',
  `SELECT 1 FROM packages WHERE project_id = $1 AND id = $2 FOR UPDATE`,
);

export interface AttachedProduct {
  packageId: string;
  productId: string;
  eligibilityCriteria: EligibilityCriteria;
}

@Injectable()
export class PackagesRepository {
  async insert(executor: Executor, row: Package): Promise<void> {
    await executor.manager.getRepository(Package).insert(row);
  }

  find(executor: Executor, projectId: string, id: string): Promise<Package | null> {
    return executor.manager.getRepository(Package).findOneBy({ projectId, id });
  }

  isOfOffering(executor: Executor, projectId: string, offeringId: string, id: string): Promise<boolean> {
    return executor.manager.getRepository(Package).existsBy({ projectId, offeringId, id });
  }

  /** One more than a page of an offering's packages, in the order the SDKs show them. */
  page(
    executor: Executor,
    projectId: string,
    offeringId: string,
    { after, limit }: PageRequest,
  ): Promise<Package[]> {
    return executor.query(page, [projectId, offeringId, after, limit + 1]);
  }

  /** All packages of some offerings, in order. */
  ofOfferings(executor: Executor, projectId: string, offeringIds: string[]): Promise<Package[]> {
    return executor.manager.getRepository(Package).find({
      where: { projectId, offeringId: In(offeringIds) },
      order: { position: 'ASC', createdAt: 'ASC', id: 'ASC' },
    });
  }

  async nextPosition(executor: Executor, projectId: string, offeringId: string): Promise<number> {
    return (
      (await executor.query<{ position: number }>(nextPosition, [projectId, offeringId]))[0]?.position ?? 0
    );
  }

  async lock(executor: Executor, projectId: string, id: string): Promise<void> {
    await executor.query(lock, [projectId, id]);
  }

  async attach(executor: Executor, projectId: string, product: AttachedProduct, now: Date): Promise<void> {
    const { packageId, productId, eligibilityCriteria } = product;
    await executor.query(attach, [projectId, packageId, productId, eligibilityCriteria, now]);
  }

  async detach(executor: Executor, projectId: string, id: string, productIds: string[]): Promise<void> {
    await executor.query(detach, [projectId, id, productIds]);
  }

  attached(executor: Executor, projectId: string, packageIds: string[]): Promise<AttachedProduct[]> {
    return executor.query(attached, [projectId, packageIds]);
  }
}
