-- How the version before partitioned events and ledger saved changes.
WITH chains AS (
  INSERT INTO subscriptions AS s (project_id, id, app_id, store, environment, chain_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    memory, started_at, access_ends_at, status, next_due_at, granted_entitlement_id, created_at, updated_at)
  SELECT $1, r.id, r."appId", r.store, r.environment, r."chainKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.memory,
    to_timestamp(r."startedAtMs" / 1000.0), to_timestamp(r."accessEndsAtMs" / 1000.0), r.status, to_timestamp(r."nextDueAtMs" / 1000.0),
    r."grantedEntitlementId", $8, $8
  FROM json_to_recordset($2::json) AS r(id text, "appId" text, store text, environment text,
    "chainKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, memory json,
    "startedAtMs" bigint, "accessEndsAtMs" bigint, status text, "nextDueAtMs" bigint,
    "grantedEntitlementId" text)
  ON CONFLICT (project_id, id) DO UPDATE SET store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    memory = excluded.memory, started_at = excluded.started_at, access_ends_at = excluded.access_ends_at,
    status = excluded.status, next_due_at = excluded.next_due_at, version = s.version + 1,
    updated_at = excluded.updated_at
  RETURNING s.id, s.store_identifiers),
one_time AS (
  INSERT INTO one_time_purchases AS s (project_id, id, app_id, store, environment, purchase_key, customer_id,
    original_customer_id, original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms,
    memory, purchased_at, status, created_at, updated_at)
  SELECT $1, r.id, r."appId", r.store, r.environment, r."purchaseKey", r."customerId", r."originalCustomerId",
    r."originalCustomerAppUserId", r."storeProductId", r."storeIdentifiers", r.facts, r."factsAtMs", r.memory,
    to_timestamp(r."purchasedAtMs" / 1000.0), r.status, $8, $8
  FROM json_to_recordset($3::json) AS r(id text, "appId" text, store text, environment text,
    "purchaseKey" text, "customerId" text, "originalCustomerId" text, "originalCustomerAppUserId" text,
    "storeProductId" text, "storeIdentifiers" text[], facts json, "factsAtMs" bigint, memory json,
    "purchasedAtMs" bigint, status text)
  ON CONFLICT (project_id, id) DO UPDATE SET store_product_id = excluded.store_product_id,
    store_identifiers = excluded.store_identifiers, facts = excluded.facts, facts_at_ms = excluded.facts_at_ms,
    memory = excluded.memory, purchased_at = excluded.purchased_at, status = excluded.status,
    version = s.version + 1, updated_at = excluded.updated_at
  RETURNING s.id, s.store_identifiers),
named_chains AS (
  INSERT INTO subscription_identifiers (project_id, store_identifier, subscription_id)
  SELECT $1, unnest(r.store_identifiers), r.id FROM chains r WHERE r.id = ANY ($9::text[]) ON CONFLICT DO NOTHING),
named_one_time AS (
  INSERT INTO one_time_identifiers (project_id, store_identifier, purchase_id)
  SELECT $1, unnest(r.store_identifiers), r.id FROM one_time r WHERE r.id = ANY ($9::text[]) ON CONFLICT DO NOTHING),
ledger AS (
  INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, purchase_id, app_id,
    store, environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
    usd_micros, fx_rate, fx_day, fx_source, commission_bps, tax_bps, quantity, price_source, purchased_at,
    expires_at, period_type, ownership, country)
  SELECT $1, $8, r.id, r."customerId", r."subscriptionId", r."purchaseId", r."appId", r.store, r.environment, r.kind,
    r."kindSeq", r."periodKey", r."ownerKey", r."storeIds", r."storeProductId", r."amountMicros", r.currency,
    
    CASE WHEN o.fx_rate IS NULL THEN r."usdMicros"
      WHEN abs(r."amountMicros") = o.amount_micros THEN sign(r."amountMicros"::numeric)::bigint * o.usd_micros
      ELSE round(r."amountMicros" / o.fx_rate)::bigint END, coalesce(o.fx_rate, r."fxRate"), coalesce(o.fx_day, r."fxDay"),
    coalesce(o.fx_source, r."fxSource"), coalesce(o.commission_bps, r."commissionBps"), r."taxBps",
    r.quantity, r."priceSource", to_timestamp(r."purchasedAtMs" / 1000.0), to_timestamp(r."expiresAtMs" / 1000.0), r."periodType", r.ownership, r.country
  FROM json_to_recordset($4::json) AS r(id text, "customerId" text, "subscriptionId" text,
    "purchaseId" text, "appId" text, store text, environment text, kind text, "kindSeq" int, "periodKey" text,
    "ownerKey" text, "storeIds" text[], "storeProductId" text, "amountMicros" bigint, currency text,
    "usdMicros" bigint, "fxRate" numeric, "fxDay" date, "fxSource" text, "commissionBps" int, "taxBps" int,
    quantity int, "priceSource" text, "purchasedAtMs" bigint, "expiresAtMs" bigint, "periodType" text,
    ownership text, country text)
  LEFT JOIN LATERAL (
    SELECT t.amount_micros, t.usd_micros, t.fx_rate, t.fx_day, t.fx_source, t.commission_bps
    FROM store_transactions t
    WHERE r.kind IN ('refund', 'refund_reversal') AND t.project_id = $1 AND t.store = r.store
      AND t.environment = r.environment AND t.owner_key = r."ownerKey" AND t.period_key = r."periodKey"
      AND t.kind IN ('purchase', 'renewal', 'one_time') AND t.kind_seq = 0 AND t.currency = r.currency LIMIT 1) o ON true
  ON CONFLICT ON CONSTRAINT store_transactions_once DO NOTHING),
e AS (
  INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, other_customer_id,
    sequence, subscription_id, purchase_id, app_id, environment, delivery, body)
  SELECT $1, to_timestamp(r."createdAtMs" / 1000.0), r.id, to_timestamp(r."occurredAtMs" / 1000.0), r.type, r."dedupeKey", r."customerId",
    r."otherCustomerId", r.sequence, r."subscriptionId", r."purchaseId", r."appId", r.environment, r.delivery, r.body
  FROM json_to_recordset($5::json) AS r(id text, "createdAtMs" bigint, "occurredAtMs" bigint, type text,
    "dedupeKey" text, "customerId" text, "otherCustomerId" text, sequence bigint, "subscriptionId" text,
    "purchaseId" text, "appId" text, environment text, delivery text, body json)
  RETURNING project_id, created_at, id, type, app_id, environment, delivery, customer_id, sequence),
deliveries AS (
  INSERT INTO webhook_deliveries (project_id, created_at, id, webhook_integration_id, event_id, event_created_at,
    event_type, next_attempt_at, customer_id, sequence)
  SELECT e.project_id, e.created_at, 'whd_' || substr(md5(e.id || w.id), 1, 16), w.id, e.id, e.created_at,
    e.type, e.created_at, CASE WHEN w.ordered THEN e.customer_id END, CASE WHEN w.ordered THEN e.sequence END
  FROM e JOIN webhook_integrations w ON w.project_id = e.project_id
  WHERE w.enabled AND 
  e.delivery = 'send'
    AND (w.environment IS NULL OR e.environment IS NULL OR w.environment = e.environment)
    AND (w.app_id IS NULL OR w.app_id = e.app_id)
    AND CASE WHEN cardinality(w.event_types) = 0 THEN lower(e.type) NOT IN ('subscriber_alias', 'funnel_viewed', 'funnel_step_completed', 'funnel_purchase')
      ELSE lower(e.type) = ANY (w.event_types) END
  RETURNING id),
customers_written AS (
  INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, last_seen_at, version,
    event_sequence, created_at)
  SELECT $1, r.id, r."originalAppUserId", to_timestamp(r."firstSeenAtMs" / 1000.0), to_timestamp(r."lastSeenAtMs" / 1000.0), r.version,
    r."eventSequence", $8
  FROM json_to_recordset($6::json) AS r(id text, "originalAppUserId" text, version bigint,
    "eventSequence" bigint, "firstSeenAtMs" bigint, "lastSeenAtMs" bigint)
  ON CONFLICT (project_id, id) DO UPDATE SET version = excluded.version, event_sequence = excluded.event_sequence,
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at),
snapshots AS (
  INSERT INTO customer_snapshots (project_id, customer_id, customer_version, catalog_version, subscriber, etag,
    store_urls)
  SELECT $1, r."customerId", r."customerVersion", r."catalogVersion", r.subscriber, r.etag, r."storeUrls"
  FROM json_to_recordset($7::json) AS r("customerId" text, "customerVersion" bigint,
    "catalogVersion" bigint, subscriber text, etag text, "storeUrls" json)
  ON CONFLICT (project_id, customer_id) DO UPDATE SET customer_version = excluded.customer_version,
    catalog_version = excluded.catalog_version, subscriber = excluded.subscriber, etag = excluded.etag,
    store_urls = excluded.store_urls),
metric_changes AS (
  INSERT INTO metric_changes (project_id, purchase_id, changed_at) SELECT $1, changed.id, $8 FROM (SELECT unnest($9::text[]) AS id) changed)
SELECT count(*) AS events FROM e
