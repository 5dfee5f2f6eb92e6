import { hideFromPlanner } from '../../../platform/database/hide-from-planner.js';

/** Owners of purchases, at most two for a key shared by two stores. LATERAL with LIMIT forces use of the key. */
const ownersOf = (table: string, keyColumn: string): string => `
    SELECT owner.customer_id FROM unnest(${hideFromPlanner('$5::text[]')}) AS wanted(key) CROSS JOIN LATERAL (
      SELECT t.customer_id FROM ${table} t
      WHERE t.project_id = $1 AND t.store = ANY (${hideFromPlanner('$3::text[]')}::text[])
        AND t.environment = $4 AND t.${keyColumn} = wanted.key LIMIT 2) owner`;

/**
 * Owners of subscriptions of several purchases, by the keys of those that continued them. The facts are read last, and
 * not for a subscription with the key itself.
 */
const ownersOfContinued = `
    SELECT owner.customer_id FROM unnest(${hideFromPlanner('$5::text[]')}) AS wanted(key) CROSS JOIN LATERAL (
      SELECT s.customer_id FROM subscription_identifiers i
      JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
      WHERE i.project_id = $1 AND i.store_identifier = wanted.key
        AND s.store = ANY (${hideFromPlanner('$3::text[]')}::text[]) AND s.environment = $4
        AND CASE WHEN s.store_key = wanted.key THEN false ELSE s.facts -> 'continuations' -> wanted.key IS NOT NULL END
      LIMIT 2) owner`;

/** The customer of each requested account; `more` adds conditions. */
const accountOwners = (more: string): string => `
    unnest(${hideFromPlanner('$6::text[]')}, ${hideFromPlanner('$7::text[]')}, ${hideFromPlanner('$8::text[]')}) AS wanted(app_id, kind, key)
    CROSS JOIN LATERAL (
      SELECT s.customer_id FROM store_accounts s
      WHERE s.project_id = $1 AND s.app_id = wanted.app_id AND s.kind = wanted.kind
        AND s.account_key = wanted.key ${more} LIMIT 1) linked`;

/** An array, so that customers are looked up by key whatever the planner estimates for the tables' sizes. */
export const selection = `c.project_id = $1 AND c.id = ANY (ARRAY(
    SELECT found.customer_id FROM unnest(${hideFromPlanner('$2::text[]')}) AS wanted(app_user_id) CROSS JOIN LATERAL (
      SELECT a.customer_id FROM customer_aliases a
      WHERE a.project_id = $1 AND a.app_user_id = wanted.app_user_id LIMIT 1) found
    UNION ALL ${ownersOf('subscriptions', 'store_key')}
    UNION ALL ${ownersOfContinued}
    UNION ALL ${ownersOf('one_time_purchases', 'purchase_key')}
    UNION ALL SELECT linked.customer_id FROM ${accountOwners('')}))`;

export const ownAccounts = `(
  SELECT coalesce(json_agg(json_build_object('appId', wanted.app_id, 'kind', wanted.kind, 'key', wanted.key)), '[]')
  FROM ${accountOwners('AND s.customer_id = c.id')}) AS accounts`;
