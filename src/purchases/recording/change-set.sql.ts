import { statement } from '../../platform/database/statement.js';

/** $2: rows as JSON with these columns. An INSERT into a distributed table starts at a row of its project. */
const fromRows = (columns: string): string => `
  FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS r(${columns})`;
const ofProject = `a.project_id = $1 AND a.app_id = ''`;

const time = (column: string): string => `to_timestamp(r."${column}" / 1000.0)`;

/** $3: current time. */
export const saveSubscriptions = statement(
  'purchases.save_subscriptions',
  `INSERT INTO subscriptions AS s (project_id, id, app_id, store, environment, store_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    emitted, started_at, access_ends_at, status, next_due_at, granted_entitlement_id, key_state, held_from,
    unknown_lengths, created_at, updated_at)
  SELECT a.project_id, r.id, r."appId", r.store, r.environment, r."storeKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.emitted,
    ${time('startedAtMs')}, ${time('accessEndsAtMs')}, r.status, ${time('nextDueAtMs')},
    r."grantedEntitlementId", r."keyState", ${time('heldFromMs')}, r."unknownLengths", $3, $3
  ${fromRows(`id text, "appId" text, store text, environment text,
    "storeKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, emitted json,
    "startedAtMs" bigint, "accessEndsAtMs" bigint, status text, "nextDueAtMs" bigint,
    "grantedEntitlementId" text, "keyState" text, "heldFromMs" bigint, "unknownLengths" smallint`)}
  WHERE ${ofProject}
  ON CONFLICT (project_id, id) DO UPDATE SET store_key = excluded.store_key, key_state = excluded.key_state,
    held_from = excluded.held_from, unknown_lengths = excluded.unknown_lengths, store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    emitted = excluded.emitted, started_at = excluded.started_at, access_ends_at = excluded.access_ends_at,
    status = excluded.status, next_due_at = excluded.next_due_at, version = s.version + 1,
    updated_at = excluded.updated_at`,
);

/** $3: current time. */
export const saveOneTime = statement(
  'purchases.save_one_time',
  `INSERT INTO one_time_purchases AS s (project_id, id, app_id, store, environment, purchase_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    emitted, purchased_at, status, created_at, updated_at)
  SELECT a.project_id, r.id, r."appId", r.store, r.environment, r."purchaseKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.emitted,
    ${time('purchasedAtMs')}, r.status, $3, $3
  ${fromRows(`id text, "appId" text, store text, environment text,
    "purchaseKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, emitted json,
    "purchasedAtMs" bigint, status text`)}
  WHERE ${ofProject}
  ON CONFLICT (project_id, id) DO UPDATE SET purchase_key = excluded.purchase_key,
    store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    emitted = excluded.emitted, purchased_at = excluded.purchased_at, status = excluded.status,
    version = s.version + 1, updated_at = excluded.updated_at`,
);

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
  WHERE ${ofProject} AND NOT (r.rebooks AND coalesce(o.commission_bps = r."commissionBps", false))`;

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

/** Indexes purchases by their store ids, for searches. */
const identifiers = (table: string, ownerColumn: string): string => `
  INSERT INTO ${table} (project_id, store_identifier, ${ownerColumn})
  SELECT a.project_id, r.identifier, r.owner ${fromRows('owner text, identifier text')}
  WHERE ${ofProject} ON CONFLICT DO NOTHING`;

export const nameSubscriptions = statement(
  'purchases.name_subscriptions',
  identifiers('subscription_identifiers', 'subscription_id'),
);
export const nameOneTime = statement(
  'purchases.name_one_time',
  identifiers('one_time_identifiers', 'purchase_id'),
);

/** A trigger (`store_transaction_keys`) skips entries that are already in the ledger. */
const ledger = (readsLedger: boolean): string => `
  INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, purchase_id, app_id,
    store, environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
    usd_micros, fx_rate, fx_day, fx_source, commission_bps, tax_bps, quantity, price_source, purchased_at,
    expires_at, period_type, ownership, country)
  SELECT a.project_id, $3, r.id, r."customerId", r."subscriptionId", r."purchaseId", r."appId", r.store, r.environment, r.kind,
    r."kindSeq", r."periodKey", r."ownerKey", r."storeIds", r."storeProductId", r."amountMicros", r.currency,
    ${readsLedger ? ratesTakenBack : ownRates}, r."taxBps",
    r.quantity, r."priceSource", ${time('purchasedAtMs')}, ${time('expiresAtMs')}, r."periodType", r.ownership, r.country
  ${fromRows(`id text, "customerId" text, "subscriptionId" text,
    "purchaseId" text, "appId" text, store text, environment text, kind text, "kindSeq" int, "periodKey" text,
    "ownerKey" text, "storeIds" text[], "storeProductId" text, "amountMicros" bigint, currency text,
    "usdMicros" bigint, "fxRate" numeric, "fxDay" date, "fxSource" text, "commissionBps" int, "taxBps" int, "isFeeKnown" boolean, rebooks boolean,
    quantity int, "priceSource" text, "purchasedAtMs" bigint, "expiresAtMs" bigint, "periodType" text,
    ownership text, country text`)}${readsLedger ? takenBack : ` WHERE ${ofProject}`}`;

/** $3: current time. */
export const saveLedger = statement('purchases.save_ledger', ledger(false));
/** $3: current time. Reading the ledger locks the partitions of all months, so only refunds and late fees do. */
export const saveRefunds = statement('purchases.save_refunds', ledger(true));

/** Inserts the rows in the order in which `note_event` writes, so that two transactions do not wait for each other. */
export const saveEvents = statement(
  'purchases.save_events',
  `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, other_customer_id,
    sequence, subscription_id, purchase_id, app_id, environment, delivery, body)
  SELECT a.project_id, ${time('createdAtMs')}, r.id, ${time('occurredAtMs')}, r.type, r."dedupeKey", r."customerId",
    r."otherCustomerId", r.sequence, r."subscriptionId", r."purchaseId", r."appId", r.environment, r.delivery, r.body
  ${fromRows(`id text, "createdAtMs" bigint, "occurredAtMs" bigint, type text,
    "dedupeKey" text, "customerId" text, "otherCustomerId" text, sequence bigint, "subscriptionId" text,
    "purchaseId" text, "appId" text, environment text, delivery text, body json`)}
  WHERE ${ofProject} ORDER BY r.type, r.environment, r."appId", r."dedupeKey"`,
);

/** The rows exist and are locked. The upsert lets the planner find each row by its key. */
export const saveCustomers = statement(
  'purchases.save_customers',
  `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, last_seen_at, version,
    event_sequence, last_event_at, created_at)
  SELECT a.project_id, r.id, r."originalAppUserId", ${time('firstSeenAtMs')}, ${time('lastSeenAtMs')}, r.version,
    r."eventSequence", ${time('lastEventAtMs')}, ${time('firstSeenAtMs')}
  ${fromRows(`id text, "originalAppUserId" text, version bigint,
    "eventSequence" bigint, "lastEventAtMs" bigint, "firstSeenAtMs" bigint, "lastSeenAtMs" bigint`)}
  WHERE ${ofProject}
  ON CONFLICT (project_id, id) DO UPDATE SET version = excluded.version, event_sequence = excluded.event_sequence,
    last_event_at = excluded.last_event_at,
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at`,
);

export const saveSnapshots = statement(
  'purchases.save_snapshots',
  `INSERT INTO customer_snapshots (project_id, customer_id, customer_version, catalog_version, subscriber, etag,
    store_urls, valid_until)
  SELECT a.project_id, r."customerId", r."customerVersion", r."catalogVersion", r.subscriber, r.etag, r."storeUrls",
    ${time('validUntilMs')}
  ${fromRows(`"customerId" text, "customerVersion" bigint,
    "catalogVersion" bigint, subscriber text, etag text, "storeUrls" json, "validUntilMs" bigint`)}
  WHERE ${ofProject}
  ON CONFLICT (project_id, customer_id) DO UPDATE SET customer_version = excluded.customer_version,
    catalog_version = excluded.catalog_version, subscriber = excluded.subscriber, etag = excluded.etag,
    store_urls = excluded.store_urls, valid_until = excluded.valid_until`,
);

/**
 * Marks a customer whose purchases changed at $3 for the charts: a narrow row, without a unique key that could block on
 * another transaction. With VALUES, because on Citus only the coordinator numbers the rows of INSERT … SELECT.
 */
export const markForCharts = statement(
  'purchases.mark_for_charts',
  'INSERT INTO chart_changes (project_id, customer_id, changed_at) VALUES ($1, $2, $3)',
);

/** $3: current time. */
export const saveAttributes = statement(
  'purchases.save_attributes',
  `INSERT INTO customer_attributes (project_id, customer_id, name, value, updated_at_ms, source, set_at)
  SELECT a.project_id, r."customerId", r.name, r.value, r."updatedAtMs", r.source, $3
  ${fromRows(`"customerId" text, name text, value text, "updatedAtMs" bigint, source text`)}
  WHERE ${ofProject}
  ON CONFLICT (project_id, customer_id, name) DO UPDATE SET value = excluded.value,
    updated_at_ms = excluded.updated_at_ms, source = excluded.source, set_at = excluded.set_at`,
);

/** Removes deletion markers. */
export const forgetAttributes = statement(
  'purchases.forget_attributes',
  `DELETE FROM customer_attributes t USING json_to_recordset($2::json) AS f("customerId" text, name text)
  WHERE t.project_id = $1 AND t.customer_id = f."customerId" AND t.name = f.name AND t.value IS NULL`,
);
