import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';

/** $2: customers. Skips those who no longer exist. */
export const customersOf = statement(
  'reports.customers_of',
  `SELECT c.id, c.original_app_user_id AS "originalAppUserId", ${epochMs('c.first_seen_at')} AS "firstSeenAtMs",
     ${epochMs('c.last_seen_at')} AS "lastSeenAtMs", c.last_seen_platform AS "lastSeenPlatform",
     c.last_seen_app_version AS "lastSeenAppVersion", c.last_seen_country AS "lastSeenCountry",
     c.test_clock_id IS NOT NULL AS "isOnTestClock", ${epochMs('c.test_clock_at')} AS "testClockMs",
     (SELECT coalesce(json_agg(json_build_object('appUserId', a.app_user_id, 'isAnonymous', a.is_anonymous,
        'createdAtMs', ${epochMs('a.created_at')})), '[]')
      FROM customer_aliases a WHERE a.project_id = $1 AND a.customer_id = c.id) AS aliases,
     (SELECT coalesce(json_agg(json_build_object('name', t.name, 'value', t.value,
        'updatedAtMs', coalesce(t.value_since_ms, t.updated_at_ms))), '[]')
      FROM customer_attributes t
      WHERE t.project_id = $1 AND t.customer_id = c.id AND t.value IS NOT NULL) AS attributes,
     (SELECT json_build_object('experimentId', e.experiment_id, 'variant', e.variant) FROM experiment_enrollments e
      WHERE e.project_id = $1 AND e.customer_id = c.id
      ORDER BY e.enrolled_at DESC, e.experiment_id DESC LIMIT 1) AS enrollment
   FROM customers c WHERE c.project_id = $1 AND c.id = ANY ($2::text[])`,
);

const place = `id, customer_id AS "customerId", app_id AS "appId", store, environment, facts`;

export const subscriptionsOf = statement(
  'reports.subscriptions_of',
  `SELECT ${place}, emitted, store_key AS "storeKey", granted_entitlement_id AS "grantedEntitlementId"
   FROM subscriptions WHERE project_id = $1 AND customer_id = ANY ($2::text[]) ORDER BY id`,
);

export const oneTimeOf = statement(
  'reports.one_time_of',
  `SELECT ${place}, purchase_key AS "purchaseKey"
   FROM one_time_purchases WHERE project_id = $1 AND customer_id = ANY ($2::text[]) ORDER BY id`,
);

export const ledgerOf = statement(
  'reports.ledger_of',
  `SELECT t.customer_id AS "customerId", coalesce(t.subscription_id, t.purchase_id) AS "purchaseId",
     t.period_key AS "periodKey", t.kind, t.kind_seq AS "kindSeq", t.amount_micros AS "amountMicros",
     t.usd_micros AS "usdMicros", t.currency, t.commission_bps AS "commissionBps", t.tax_bps AS "taxBps", t.country,
     ${epochMs('t.purchased_at')} AS "purchasedAtMs"
   FROM store_transactions t WHERE t.project_id = $1 AND t.customer_id = ANY ($2::text[])
   ORDER BY t.recorded_at, t.id`,
);

export const catalogVersion = statement(
  'reports.catalog_version',
  'SELECT catalog_version AS "catalogVersion" FROM projects WHERE id = $1',
);

/** The customers $2, and the present owners of purchases that are stored as theirs. */
export const withNewOwners = statement(
  'reports.with_new_owners',
  `SELECT wanted.id FROM unnest($2::text[]) AS wanted (id)
   UNION SELECT coalesce(s.customer_id, o.customer_id) FROM report_subscriptions r
   LEFT JOIN subscriptions s ON s.project_id = $1 AND s.id = r.id
   LEFT JOIN one_time_purchases o ON o.project_id = $1 AND o.id = r.id
   WHERE r.project_id = $1 AND r.customer_id = ANY ($2::text[])
     AND coalesce(s.customer_id, o.customer_id) <> r.customer_id`,
);

/** The next $3 customers after $2, for a build. */
export const customersAfter = statement(
  'reports.customers_after',
  `SELECT c.id FROM (
     (SELECT id FROM customers WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3)
     UNION (SELECT customer_id FROM report_customers WHERE project_id = $1 AND customer_id > $2
       ORDER BY customer_id LIMIT $3)
   ) c ORDER BY c.id LIMIT $3`,
);

/**
 * The next $5 customers after $4 whose purchases the product $3 of app $2 may describe. Where prices have their own ids,
 * sales do not show them, so all buyers of the app count.
 */
export const buyersAfter = statement(
  'reports.buyers_after',
  `SELECT DISTINCT t.customer_id AS id FROM report_transactions t
   WHERE t.project_id = $1 AND t.customer_id > $4 AND t.app_id = $2
     AND (t.store = ANY ('{stripe,paddle}')
       OR split_part(t.product_identifier, ':', 1) = split_part($3, ':', 1))
   ORDER BY 1 LIMIT $5`,
);

/** The next $4 customers after $3 with a grant of the entitlement $2. */
export const granteesAfter = statement(
  'reports.grantees_after',
  `SELECT DISTINCT s.customer_id AS id FROM subscriptions s
   WHERE s.project_id = $1 AND s.granted_entitlement_id = $2 AND s.customer_id > $3
   ORDER BY 1 LIMIT $4`,
);
