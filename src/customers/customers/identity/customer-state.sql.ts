import { epochMs } from '../../../platform/database/epoch-ms.js';

const purchaseFields = (keyColumn: string, keyField: string): string =>
  `'id', t.id, 'appId', t.app_id, 'store', t.store, 'environment', t.environment, '${keyField}', t.${keyColumn},
   'customerId', t.customer_id, 'originalCustomerId', t.original_customer_id,
   'originalCustomerAppUserId', t.original_customer_app_user_id,
   'facts', t.facts, 'factsAtMs', t.facts_at_ms, 'emitted', t.emitted`;

const isBlocked = `EXISTS (SELECT 1 FROM customer_aliases t CROSS JOIN LATERAL (
     SELECT 1 FROM blocked_customers b
     WHERE b.project_id = $1 AND b.app_user_id = t.app_user_id LIMIT 1) b
   WHERE t.project_id = $1 AND t.customer_id = c.id)`;

const enrollments = `
  (SELECT coalesce(json_agg(json_build_object('experimentId', t.experiment_id, 'experimentName', x.display_name,
     'isLive', x.status IN ('running', 'paused'), 'variant', t.variant, 'enrolledAtMs', ${epochMs('t.enrolled_at')},
     'isSuperseded', t.superseded_at IS NOT NULL) ORDER BY t.enrolled_at, t.experiment_id), '[]')
   FROM experiment_enrollments t
   JOIN experiments x ON x.project_id = $1 AND x.id = t.experiment_id
   WHERE t.project_id = $1 AND t.customer_id = c.id)`;

/** The columns of a complete `CustomerRow`, for a customer row `c` ($1: project). */
export const customerStateColumns = `
  c.id, c.original_app_user_id AS "originalAppUserId", ${epochMs('c.first_seen_at')} AS "firstSeenAtMs",
  ${epochMs('c.last_seen_at')} AS "lastSeenAtMs", c.last_seen_platform AS "lastSeenPlatform",
  c.last_seen_platform_version AS "lastSeenPlatformVersion", c.last_seen_app_version AS "lastSeenAppVersion",
  c.last_seen_country AS "lastSeenCountry", c.original_application_version AS "originalApplicationVersion",
  ${epochMs('c.original_purchase_at')} AS "originalPurchaseAtMs",
  c.test_clock_id AS "testClockId", ${epochMs('c.test_clock_at')} AS "testClockMs",
  c.version, c.event_sequence AS "eventSequence",
  ${epochMs('c.last_event_at')} AS "lastEventAtMs",
  ${isBlocked} AS blocked,
  (SELECT json_agg(json_build_object('appUserId', t.app_user_id, 'isAnonymous', t.is_anonymous,
     'createdAtMs', ${epochMs('t.created_at')}))
   FROM customer_aliases t WHERE t.project_id = $1 AND t.customer_id = c.id) AS aliases,
  (SELECT coalesce(json_agg(json_build_object('name', t.name, 'value', t.value, 'updatedAtMs', t.updated_at_ms,
     'source', t.source)), '[]')
   FROM customer_attributes t WHERE t.project_id = $1 AND t.customer_id = c.id) AS attributes,
  ${enrollments} AS enrollments,
  (SELECT coalesce(json_agg(json_build_object(${purchaseFields('store_key', 'storeKey')},
     'grantedEntitlementId', t.granted_entitlement_id)), '[]')
   FROM subscriptions t WHERE t.project_id = $1 AND t.customer_id = c.id) AS subscriptions,
  (SELECT coalesce(json_agg(json_build_object(${purchaseFields('purchase_key', 'purchaseKey')})), '[]')
   FROM one_time_purchases t WHERE t.project_id = $1 AND t.customer_id = c.id) AS purchases`;
