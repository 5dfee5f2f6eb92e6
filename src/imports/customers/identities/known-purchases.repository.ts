import { Injectable } from '@nestjs/common';
import { baseOrderOf } from '../../../customers/customers/customer-info/unconfirmed-keys.js';
import type { Executor } from '../../../platform/database/database.service.js';
import { hideFromPlanner } from '../../../platform/database/hide-from-planner.js';
import { statement } from '../../../platform/database/statement.js';

/** A purchase of one store as named in an import: by its key and its payments' ids. */
export interface NamedPurchase {
  store: string;
  environment: string;
  key: string;
  ids: string[];
}

/** A stored purchase with an app user id of its owner. */
export interface KnownPurchase {
  id: string;
  appUserId: string;
}

const ownerOf = (purchase: string): string => `
   CROSS JOIN LATERAL (
     SELECT original_app_user_id FROM customers WHERE project_id = $1 AND id = ${purchase}.customer_id LIMIT 1) c`;

const named = `unnest(${hideFromPlanner('$2::text[]')}, ${hideFromPlanner('$3::text[]')}, ${hideFromPlanner('$4::text[]')})
     AS n(store, environment, key)`;
const ids = `unnest(${hideFromPlanner('$5::text[]')}, ${hideFromPlanner('$6::text[]')}, ${hideFromPlanner('$7::text[]')})
     AS n(store, environment, name)`;

/**
 * Finds subscriptions and one-time purchases by key or by any id their store assigned; a Google order also by its base.
 * LATERAL with LIMIT forces an index look-up per key, whatever the planner's statistics.
 */
const known = statement(
  'customer_imports.known_purchases',
  `SELECT s.id, c.original_app_user_id AS "appUserId" FROM ${named} CROSS JOIN LATERAL (
     SELECT id, customer_id FROM subscriptions
     WHERE project_id = $1 AND store = n.store AND environment = n.environment AND store_key = n.key LIMIT 1) s
   ${ownerOf('s')}
   UNION
   SELECT s.id, c.original_app_user_id FROM ${ids} CROSS JOIN LATERAL (
     SELECT subscription_id FROM subscription_identifiers
     WHERE project_id = $1 AND store_identifier = n.name LIMIT 5) i
   CROSS JOIN LATERAL (
     SELECT id, customer_id, store, environment FROM subscriptions
     WHERE project_id = $1 AND id = i.subscription_id LIMIT 1) s ${ownerOf('s')}
   WHERE s.store = n.store AND s.environment = n.environment
   UNION
   SELECT s.id, c.original_app_user_id FROM unnest(${hideFromPlanner('$8::text[]')}) AS n(base) CROSS JOIN LATERAL (
     SELECT subscription_id FROM subscription_identifiers
     WHERE project_id = $1 AND store_identifier >= n.base || '..' AND store_identifier < n.base || './' LIMIT 5) i
   CROSS JOIN LATERAL (
     SELECT id, customer_id, store FROM subscriptions
     WHERE project_id = $1 AND id = i.subscription_id LIMIT 1) s ${ownerOf('s')}
   WHERE s.store = 'play_store'
   UNION
   SELECT s.id, c.original_app_user_id FROM ${named} CROSS JOIN LATERAL (
     SELECT id, customer_id FROM one_time_purchases
     WHERE project_id = $1 AND store = n.store AND environment = n.environment AND purchase_key = n.key LIMIT 1) s
   ${ownerOf('s')}
   UNION
   SELECT s.id, c.original_app_user_id FROM ${ids} CROSS JOIN LATERAL (
     SELECT purchase_id FROM one_time_identifiers
     WHERE project_id = $1 AND store_identifier = n.name LIMIT 5) i
   CROSS JOIN LATERAL (
     SELECT id, customer_id, store, environment FROM one_time_purchases
     WHERE project_id = $1 AND id = i.purchase_id LIMIT 1) s ${ownerOf('s')}
   WHERE s.store = n.store AND s.environment = n.environment`,
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

  /** Returns the app user ids of customers who were erased on request. */
  async erased(executor: Executor, projectId: string, appUserIds: string[]): Promise<Set<string>> {
    const rows = await executor.query<{ id: string }>(erased, [projectId, appUserIds]);
    return new Set(rows.map(({ id }) => id));
  }
}
