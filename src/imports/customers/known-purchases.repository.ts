import { Injectable } from '@nestjs/common';
import { baseOrderOf } from '../../customers/customers/unconfirmed-keys.js';
import type { Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/** A purchase of one store as an import names it: by its key, and by ids of its payments. */
export interface NamedPurchase {
  store: string;
  environment: string;
  key: string;
  ids: string[];
}

/** A stored purchase, and an app user id of its owner. */
export interface KnownPurchase {
  id: string;
  appUserId: string;
}

/** `subscription` and `one_time` rows by key or by any id their store gave them; a Google order also by its base. */
const known = statement(
  'customer_imports.known_purchases',
  `WITH named AS (
     SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS n(store, environment, key)
   ), by_id AS (
     SELECT i.subscription_id AS id, n.store, n.environment FROM unnest($5::text[], $6::text[], $7::text[])
       AS n(store, environment, name)
     CROSS JOIN LATERAL (
       SELECT subscription_id FROM subscription_identifiers
       WHERE project_id = $1 AND store_identifier = n.name LIMIT 5) i
   ), by_order AS (
     SELECT i.subscription_id AS id, 'play_store' AS store, NULL::text AS environment
     FROM unnest($8::text[]) AS n(base)
     CROSS JOIN LATERAL (
       SELECT subscription_id FROM subscription_identifiers
       WHERE project_id = $1 AND store_identifier >= n.base || '..' AND store_identifier < n.base || './' LIMIT 5) i
   )
   SELECT s.id, c.original_app_user_id AS "appUserId" FROM named n CROSS JOIN LATERAL (
     SELECT id, customer_id FROM subscriptions
     WHERE project_id = $1 AND store = n.store AND environment = n.environment AND store_key = n.key LIMIT 1) s
   JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id
   UNION
   SELECT s.id, c.original_app_user_id FROM (SELECT * FROM by_id UNION ALL SELECT * FROM by_order) f
   CROSS JOIN LATERAL (
     SELECT id, customer_id FROM subscriptions s WHERE s.project_id = $1 AND s.id = f.id AND s.store = f.store
       AND s.environment = coalesce(f.environment, s.environment) LIMIT 1) s
   JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id
   UNION
   SELECT s.id, c.original_app_user_id FROM named n CROSS JOIN LATERAL (
     SELECT id, customer_id FROM one_time_purchases
     WHERE project_id = $1 AND store = n.store AND environment = n.environment AND purchase_key = n.key LIMIT 1) s
   JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id
   UNION
   SELECT s.id, c.original_app_user_id FROM unnest($5::text[], $6::text[], $7::text[])
     AS n(store, environment, name)
   CROSS JOIN LATERAL (
     SELECT o.id, o.customer_id FROM one_time_identifiers i
     JOIN one_time_purchases o ON o.project_id = i.project_id AND o.id = i.purchase_id
     WHERE i.project_id = $1 AND i.store_identifier = n.name AND o.store = n.store
       AND o.environment = n.environment LIMIT 1) s
   JOIN customers c ON c.project_id = $1 AND c.id = s.customer_id`,
);

const erased = statement(
  'customer_imports.erased',
  `SELECT DISTINCT target_identifier AS id FROM audit_logs
   WHERE project_id = $1 AND target_identifier = ANY ($2::text[]) AND action_type = 'customer_deleted'`,
);

@Injectable()
export class KnownPurchasesRepository {
  find(executor: Executor, projectId: string, named: NamedPurchase[]): Promise<KnownPurchase[]> {
    if (named.length === 0) return Promise.resolve([]);
    const ids = named.flatMap(({ store, environment, ids: own }) =>
      own.map((name) => ({ store, environment, name })),
    );
    const orders = named.filter(({ store }) => store === 'play_store').flatMap((one) => one.ids);
    return executor.query(known, [
      projectId,
      named.map(({ store }) => store),
      named.map(({ environment }) => environment),
      named.map(({ key }) => key),
      ids.map(({ store }) => store),
      ids.map(({ environment }) => environment),
      ids.map(({ name }) => name),
      [...new Set(orders.map(baseOrderOf))],
    ]);
  }

  /** Those of the app user ids whose customers were erased on request. */
  async erased(executor: Executor, projectId: string, appUserIds: string[]): Promise<Set<string>> {
    const rows = await executor.query<{ id: string }>(erased, [projectId, appUserIds]);
    return new Set(rows.map(({ id }) => id));
  }
}
