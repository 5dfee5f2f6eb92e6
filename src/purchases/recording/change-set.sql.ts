import { insertMatchingDeliveries } from '../../webhooks/deliveries/delivery-matching.sql.js';

/**
 * Marks customers whose purchases changed for the charts, in the statement that changes them: one narrow row each,
 * without a unique key that could block on another transaction. A customer created in this transaction is marked already.
 * $1: project; `ids` are the customers, `now` is a parameter.
 */
const markForCharts = (ids: string, now: string): string => `
  INSERT INTO chart_changes (project_id, customer_id, changed_at) SELECT $1, changed.id, ${now}
  FROM unnest(${ids}::text[]) changed (id)
  WHERE (changed.id = ANY (string_to_array(current_setting('tenure.created_customers', true), ','))) IS NOT TRUE`;

const time = (column: string): string => `to_timestamp(r."${column}" / 1000.0)`;

const subscriptions = `
  INSERT INTO subscriptions AS s (project_id, id, app_id, store, environment, store_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    emitted, started_at, access_ends_at, status, next_due_at, granted_entitlement_id, key_state, held_from,
    unknown_lengths, created_at, updated_at)
  SELECT $1, r.id, r."appId", r.store, r.environment, r."storeKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.emitted,
    ${time('startedAtMs')}, ${time('accessEndsAtMs')}, r.status, ${time('nextDueAtMs')},
    r."grantedEntitlementId", r."keyState", ${time('heldFromMs')}, r."unknownLengths", $8, $8
  FROM json_to_recordset($2::json) AS r(id text, "appId" text, store text, environment text,
    "storeKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, emitted json,
    "startedAtMs" bigint, "accessEndsAtMs" bigint, status text, "nextDueAtMs" bigint,
    "grantedEntitlementId" text, "keyState" text, "heldFromMs" bigint, "unknownLengths" smallint)
  ON CONFLICT (project_id, id) DO UPDATE SET store_key = excluded.store_key, key_state = excluded.key_state,
    held_from = excluded.held_from, unknown_lengths = excluded.unknown_lengths, store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    emitted = excluded.emitted, started_at = excluded.started_at, access_ends_at = excluded.access_ends_at,
    status = excluded.status, next_due_at = excluded.next_due_at, version = s.version + 1,
    updated_at = excluded.updated_at
  RETURNING s.id, s.store_identifiers`;

const oneTime = `
  INSERT INTO one_time_purchases AS s (project_id, id, app_id, store, environment, purchase_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    emitted, purchased_at, status, created_at, updated_at)
  SELECT $1, r.id, r."appId", r.store, r.environment, r."purchaseKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.emitted,
    ${time('purchasedAtMs')}, r.status, $8, $8
  FROM json_to_recordset($3::json) AS r(id text, "appId" text, store text, environment text,
    "purchaseKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, emitted json,
    "purchasedAtMs" bigint, status text)
  ON CONFLICT (project_id, id) DO UPDATE SET purchase_key = excluded.purchase_key,
    store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    emitted = excluded.emitted, purchased_at = excluded.purchased_at, status = excluded.status,
    version = s.version + 1, updated_at = excluded.updated_at
  RETURNING s.id, s.store_identifiers`;

/** The kinds of ledger entries for refunds and their reversals. */
export const refundKinds = ['refund', 'refund_reversal'];

/** Looks up the ledger row that a refund or a late fee reverses, by its key. Other rows skip the lookup. */
const takenBack = `
  LEFT JOIN LATERAL (
    SELECT t.amount_micros, t.usd_micros, t.fx_rate, t.fx_day, t.fx_source, t.commission_bps
    FROM store_transaction_keys k
    JOIN store_transactions t ON t.project_id = $1 AND t.recorded_at = k.recorded_at AND t.id = k.id
    WHERE (r.rebooks OR r.kind IN (${refundKinds.map((kind) => `'${kind}'`).join(', ')})) AND k.project_id = $1
      AND k.store = r.store AND k.environment = r.environment AND k.owner_key = r."ownerKey"
      AND k.period_key = r."periodKey" AND k.kind_seq = 0
      AND CASE WHEN r.kind = 'proration' THEN k.kind = 'proration' ELSE k.kind IN ('purchase', 'renewal', 'one_time') END
      AND t.currency = r.currency LIMIT 1) o ON true
  WHERE NOT (r.rebooks AND coalesce(o.commission_bps = r."commissionBps", false))`;

/**
 * A refund uses the rates of the original payment, even if better rates have become known since, but the commission that
 * a late fee has corrected.
 */
const ratesTakenBack = `
    CASE WHEN o.fx_rate IS NULL THEN r."usdMicros"
      WHEN abs(r."amountMicros") = o.amount_micros THEN sign(r."amountMicros"::numeric)::bigint * o.usd_micros
      ELSE round(r."amountMicros" / o.fx_rate)::bigint END, coalesce(o.fx_rate, r."fxRate"),
    coalesce(o.fx_day, r."fxDay"), coalesce(o.fx_source, r."fxSource"),
    CASE WHEN r."isFeeKnown" THEN r."commissionBps" ELSE coalesce(o.commission_bps, r."commissionBps") END`;

const ownRates = 'r."usdMicros", r."fxRate", r."fxDay", r."fxSource", r."commissionBps"';

/** Indexes the purchases in `rows` by their store ids, for searches. Unchanged facts add no ids. */
const identifiers = (table: string, ownerColumn: string, rows: string): string => `
  INSERT INTO ${table} (project_id, store_identifier, ${ownerColumn})
  SELECT $1, unnest(r.store_identifiers), r.id FROM ${rows} r WHERE r.id = ANY ($9::text[]) ON CONFLICT DO NOTHING`;

/** A trigger (`store_transaction_keys`) skips entries that are already in the ledger. */
const ledger = (readsLedger: boolean): string => `
  INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, purchase_id, app_id,
    store, environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
    usd_micros, fx_rate, fx_day, fx_source, commission_bps, tax_bps, quantity, price_source, purchased_at,
    expires_at, period_type, ownership, country)
  SELECT $1, $8, r.id, r."customerId", r."subscriptionId", r."purchaseId", r."appId", r.store, r.environment, r.kind,
    r."kindSeq", r."periodKey", r."ownerKey", r."storeIds", r."storeProductId", r."amountMicros", r.currency,
    ${readsLedger ? ratesTakenBack : ownRates}, r."taxBps",
    r.quantity, r."priceSource", ${time('purchasedAtMs')}, ${time('expiresAtMs')}, r."periodType", r.ownership, r.country
  FROM json_to_recordset($4::json) AS r(id text, "customerId" text, "subscriptionId" text,
    "purchaseId" text, "appId" text, store text, environment text, kind text, "kindSeq" int, "periodKey" text,
    "ownerKey" text, "storeIds" text[], "storeProductId" text, "amountMicros" bigint, currency text,
    "usdMicros" bigint, "fxRate" numeric, "fxDay" date, "fxSource" text, "commissionBps" int, "taxBps" int, "isFeeKnown" boolean, rebooks boolean,
    quantity int, "priceSource" text, "purchasedAtMs" bigint, "expiresAtMs" bigint, "periodType" text,
    ownership text, country text)${readsLedger ? takenBack : ''}`;

const events = `
  INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, other_customer_id,
    sequence, subscription_id, purchase_id, app_id, environment, delivery, body)
  SELECT $1, ${time('createdAtMs')}, r.id, ${time('occurredAtMs')}, r.type, r."dedupeKey", r."customerId",
    r."otherCustomerId", r.sequence, r."subscriptionId", r."purchaseId", r."appId", r.environment, r.delivery, r.body
  FROM json_to_recordset($5::json) AS r(id text, "createdAtMs" bigint, "occurredAtMs" bigint, type text,
    "dedupeKey" text, "customerId" text, "otherCustomerId" text, sequence bigint, "subscriptionId" text,
    "purchaseId" text, "appId" text, environment text, delivery text, body json)
  RETURNING project_id, created_at, id, type, app_id, environment, delivery, customer_id, sequence`;

/** The rows exist and are locked. The upsert lets the planner find each row by its key. */
const customers = `
  INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, last_seen_at, version,
    event_sequence, last_event_at, created_at)
  SELECT $1, r.id, r."originalAppUserId", ${time('firstSeenAtMs')}, ${time('lastSeenAtMs')}, r.version,
    r."eventSequence", ${time('lastEventAtMs')}, $8
  FROM json_to_recordset($6::json) AS r(id text, "originalAppUserId" text, version bigint,
    "eventSequence" bigint, "lastEventAtMs" bigint, "firstSeenAtMs" bigint, "lastSeenAtMs" bigint)
  ON CONFLICT (project_id, id) DO UPDATE SET version = excluded.version, event_sequence = excluded.event_sequence,
    last_event_at = excluded.last_event_at,
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at`;

const snapshots = `
  INSERT INTO customer_snapshots (project_id, customer_id, customer_version, catalog_version, subscriber, etag,
    store_urls, valid_until)
  SELECT $1, r."customerId", r."customerVersion", r."catalogVersion", r.subscriber, r.etag, r."storeUrls",
    ${time('validUntilMs')}
  FROM json_to_recordset($7::json) AS r("customerId" text, "customerVersion" bigint,
    "catalogVersion" bigint, subscriber text, etag text, "storeUrls" json, "validUntilMs" bigint)
  ON CONFLICT (project_id, customer_id) DO UPDATE SET customer_version = excluded.customer_version,
    catalog_version = excluded.catalog_version, subscriber = excluded.subscriber, etag = excluded.etag,
    store_urls = excluded.store_urls, valid_until = excluded.valid_until`;

/**
 * Saves a whole change in one round trip. $1: project; $2 to $7: the parts of the `ChangeSet` as separate JSON
 * documents, because each use of a document parses all of it; $8: current time; $9: the purchases with new
 * facts; $10: their customers. Deliveries are matched against the current integrations. The ledger is read only for refunds and late fees, because
 * reading it locks the partitions of all months.
 */
export const saveChangeSet = ({ readsLedger }: { readsLedger: boolean }): string => `
WITH subscriptions AS (${subscriptions}),
one_time AS (${oneTime}),
named_subscriptions AS (${identifiers('subscription_identifiers', 'subscription_id', 'subscriptions')}),
named_one_time AS (${identifiers('one_time_identifiers', 'purchase_id', 'one_time')}),
ledger AS (${ledger(readsLedger)}),
e AS (${events}),
deliveries AS (${insertMatchingDeliveries}),
customers_written AS (${customers}),
snapshots AS (${snapshots}),
marks AS (${markForCharts('$10', '$8')})
SELECT count(*)::int AS deliveries FROM deliveries`;

/** $1: project, $2: the attributes of a `ChangeSet` as JSON, $3: current time. Separate because it is rare. */
export const saveAttributes = `
INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
SELECT $1, r."customerId", r.name, r.value, r."updatedAtMs", r.source, $3
FROM json_to_recordset($2::json) AS r("customerId" text, name text, value text, "updatedAtMs" bigint, source text)
ON CONFLICT (project_id, customer_id, name) DO UPDATE SET value = excluded.value,
  updated_at_ms = excluded.updated_at_ms, source = excluded.source, set_at = excluded.set_at`;

/** $1: project, $2 and $3: arrays of customers and attribute names whose deletion markers are removed. */
export const forgetAttributes = `
DELETE FROM customer_attributes t USING unnest($2::text[], $3::text[]) AS f(customer_id, name)
WHERE t.project_id = $1 AND t.customer_id = f.customer_id AND t.name = f.name AND t.value IS NULL`;
