import { Injectable } from '@nestjs/common';
import type { Executor, Transaction } from '../../platform/database/database.js';
import { findByKey } from '../../platform/database/find-by-key.js';
import { keysetPage } from '../../platform/http/keyset.js';
import { statement } from '../../platform/database/statement.js';
import type { PageRequest } from '../../platform/http/lists.js';
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
  `SELECT entitlement_id AS "entitlementId", product_id AS "productId"
   FROM product_entitlements WHERE project_id = $1 AND entitlement_id = ANY($2::text[])`,
);

const hold = statement(
  'entitlements.hold',
  `SELECT id FROM entitlements WHERE project_id = $1 AND id = $2 FOR KEY SHARE`,
);

const makeGrantsDue = statement(
  'entitlements.make_grants_due',
  `UPDATE subscriptions SET next_due_at = $3
   WHERE project_id = $1 AND granted_entitlement_id = $2 AND status <> 'expired'`,
);

export interface AttachedProduct {
  entitlementId: string;
  productId: string;
}

@Injectable()
export class EntitlementsRepository {
  async insert(executor: Executor, entitlement: Entitlement): Promise<void> {
    await executor.manager.getRepository(Entitlement).insert(entitlement);
  }

  async update(executor: Executor, { projectId, id, ...columns }: Entitlement): Promise<void> {
    await executor.manager.getRepository(Entitlement).update({ projectId, id }, columns);
  }

  /** Deletes the entitlement and detaches its products; false when there is no such entitlement. */
  async delete(executor: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(Entitlement).delete({ projectId, id });
    return affected === 1;
  }

  /** Waits for whoever deletes the entitlement, and keeps others from it; false when there is no such entitlement. */
  async hold(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    return (await tx.query(hold, [projectId, id])).length > 0;
  }

  /** Has due work look at the running grants of an entitlement. */
  async makeGrantsDue(tx: Transaction, projectId: string, id: string, now: Date): Promise<void> {
    await tx.query(makeGrantsDue, [projectId, id, now]);
  }

  find(executor: Executor, projectId: string, id: string): Promise<Entitlement | null> {
    return findByKey(executor, Entitlement, { projectId, id });
  }

  /** One more than a page. */
  page(executor: Executor, projectId: string, page: PageRequest): Promise<Entitlement[]> {
    return keysetPage(executor.manager.getRepository(Entitlement), { projectId }, page);
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

  /** What is attached to some entitlements, in no order. */
  attached(executor: Executor, projectId: string, ids: string[]): Promise<AttachedProduct[]> {
    return executor.query(attached, [projectId, ids]);
  }
}
