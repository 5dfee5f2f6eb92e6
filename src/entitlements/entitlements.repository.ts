import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { keysetPage } from '../database/keyset.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';
import { Entitlement } from './entitlement.entity.js';

const attach = statement(
  'entitlements.attach_products',
  `INSERT INTO product_entitlements (project_id, entitlement_id, product_id, created_at)
   SELECT $1, $2, unnest($3::text[]), $4 ON CONFLICT DO NOTHING`,
);

const detach = statement(
  'entitlements.detach_products',
  `DELETE FROM product_entitlements WHERE project_id = $1 AND entitlement_id = $2 AND product_id = ANY($3::text[])`,
);

const attached = statement(
  'entitlements.attached_products',
  `SELECT t.entitlement_id AS "entitlementId", t.product_id AS "productId"
   FROM product_entitlements t JOIN products p ON p.project_id = t.project_id AND p.id = t.product_id
   WHERE t.project_id = $1 AND t.entitlement_id = ANY($2::text[]) ORDER BY p.created_at, p.id`,
);

@Injectable()
export class EntitlementsRepository {
  async insert(executor: Executor, entitlement: Entitlement): Promise<void> {
    await executor.manager.getRepository(Entitlement).insert(entitlement);
  }

  find(executor: Executor, projectId: string, id: string): Promise<Entitlement | null> {
    return executor.manager.getRepository(Entitlement).findOneBy({ projectId, id });
  }

  /** One more than a page. */
  page(executor: Executor, projectId: string, page: PageRequest): Promise<Entitlement[]> {
    return keysetPage(executor, Entitlement, { projectId }, page);
  }

  async attach(
    executor: Executor,
    projectId: string,
    id: string,
    productIds: string[],
    now: Date,
  ): Promise<void> {
    await executor.query(attach, [projectId, id, productIds, now]);
  }

  async detach(executor: Executor, projectId: string, id: string, productIds: string[]): Promise<void> {
    await executor.query(detach, [projectId, id, productIds]);
  }

  /** Product ids by entitlement id, oldest product first. */
  async attached(executor: Executor, projectId: string, ids: string[]): Promise<Map<string, string[]>> {
    const rows = await executor.query<{ entitlementId: string; productId: string }>(attached, [
      projectId,
      ids,
    ]);
    const byId = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { entitlementId, productId } of rows) byId.get(entitlementId)?.push(productId);
    return byId;
  }
}
