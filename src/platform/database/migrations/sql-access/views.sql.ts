/**
 * The project of the connected SQL user, which nothing that the user sends can change. Null without a mapping, so that
 * every view is empty.
 */
const project = `(SELECT u.project_id FROM public.sql_users u
    WHERE u.role_name = current_user AND (u.expires_at IS NULL OR u.expires_at > now()))`;

/**
 * Wrapping a column in an operator that is not leakproof keeps conditions on it above the barrier. Otherwise EXPLAIN
 * would estimate them by statistics of all projects, which are values of other projects.
 */
const text = (column: string): string => `${column} || '' AS ${column.replace(/^.*\./, '')}`;
const number = (column: string): string => `${column} + 0 AS ${column.replace(/^.*\./, '')}`;

/**
 * JSON that jsonb can hold: lone surrogates and NUL are valid in json only. Replaces escapes after an even number of
 * backslashes.
 */
const jsonb = (column: string): string =>
  `CASE WHEN ${column}::text ~* '\\\\u(0000|d[89a-f])'
    THEN regexp_replace(${column}::text, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})', '\\1\\\\ufffd', 'gi')::jsonb
    ELSE ${column}::jsonb END`;

/**
 * The planner has no statistics on columns of the `report_*` tables, so they need no wrapping. Every row has its customer;
 * an outer join is left out of queries without columns of the customer.
 */
const transactions = `
SELECT c.original_app_user_id AS rc_original_app_user_id, c.last_seen_app_user_id AS rc_last_seen_app_user_id_alias,
  t.country, t.country_source, t.product_identifier, t.product_display_name, t.product_duration, t.start_time,
  t.end_time, t.grace_period_end_time, t.effective_end_time, t.store, t.is_auto_renewable, t.is_trial_period,
  t.is_in_intro_offer_period, t.is_sandbox, t.price_in_usd, t.purchase_price_in_usd, t.takehome_percentage,
  t.tax_percentage, t.commission_percentage, t.store_transaction_id, t.original_store_transaction_id, t.refunded_at,
  t.unsubscribe_detected_at, t.billing_issues_detected_at, t.purchased_currency, t.price_in_purchased_currency,
  t.purchase_price_in_purchased_currency, t.entitlement_identifiers, t.renewal_number, t.is_trial_conversion,
  t.presented_offering, t.ownership_type, c.reserved_attributes AS reserved_subscriber_attributes,
  c.custom_attributes AS custom_subscriber_attributes, c.last_seen_platform AS platform, c.experiment_id,
  c.experiment_variant, greatest(t.changed_at, c.tx_changed_at) AS updated_at, t.offer, t.offer_type,
  c.first_seen_at AS first_seen_time, t.auto_resume_time, t.customer_id, t.app_id
FROM public.report_transactions t
LEFT JOIN public.report_customers c ON c.project_id = t.project_id AND c.customer_id = t.customer_id
WHERE t.project_id = ${project}`;

const customers = `
SELECT c.customer_id, c.original_app_user_id, c.last_seen_app_user_id, to_jsonb(c.aliases) AS aliases, c.first_seen_at,
  c.last_seen_at, c.last_seen_platform, c.last_seen_app_version, c.last_seen_country, c.reserved_attributes,
  c.custom_attributes, c.experiment_id, c.experiment_variant, c.changed_at AS updated_at
FROM public.report_customers c
WHERE c.project_id = ${project}`;

const subscriptions = `
SELECT s.id, s.kind, s.customer_id, s.app_id, s.store, s.environment, s.product_identifier, s.status, s.gives_access,
  s.auto_renewal_status, s.started_at, s.current_period_started_at, s.current_period_ends_at, s.access_ends_at,
  s.ownership, s.original_store_transaction_id, s.latest_store_transaction_id,
  to_jsonb(s.entitlement_identifiers) AS entitlement_identifiers, s.price_currency, s.price_micros,
  s.changed_at AS updated_at
FROM public.report_subscriptions s
WHERE s.project_id = ${project}`;

const ledger = `
SELECT ${text('t.id')}, t.recorded_at, ${text('t.customer_id')}, ${text('t.subscription_id')},
  ${text('t.purchase_id')}, ${text('t.app_id')}, ${text('t.store')}, ${text('t.environment')}, ${text('t.kind')},
  t.store_ids[1] || '' AS store_transaction_id, t.store_product_id || '' AS product_identifier, t.purchased_at,
  t.expires_at + interval '0' AS expires_at, ${number('t.amount_micros')}, ${text('t.currency')},
  ${number('t.usd_micros')}, ${number('t.fx_rate')}, ${number('t.commission_bps')}, ${number('t.tax_bps')},
  ${number('t.quantity')}, ${text('t.country')}, ${text('t.ownership')}
FROM public.store_transactions t
WHERE t.project_id = ${project}`;

const events = `
SELECT ${text('e.id')}, ${text('e.type')}, e.created_at, e.occurred_at, ${text('e.customer_id')}, ${text('e.app_id')},
  ${text('e.environment')}, ${text('e.subscription_id')}, ${number('e.sequence')},
  (e.delivery || '') = 'send' AS sent, ${jsonb('e.body')} AS body
FROM public.events e
WHERE e.project_id = ${project}`;

const usd = (micros: string): string => `round(coalesce(sum(${micros}), 0) / 1000000, 6)`;
const share = (bps: string): string => `round(t.usd_micros::numeric * ${bps} / 10000)`;
const isRefund = `(t.kind || '') IN ('refund', 'refund_reversal')`;

/** By the rules of the revenue chart: each entry counts on its own day, a refund on the day of the refund. */
const dailyRevenue = `
SELECT (t.purchased_at AT TIME ZONE 'UTC')::date AS day, ${text('t.environment')}, ${text('t.store')},
  ${text('t.app_id')}, t.store_product_id || '' AS product_identifier, ${text('t.country')},
  ${usd(`t.usd_micros) FILTER (WHERE NOT ${isRefund}`)} AS gross_usd,
  ${usd(`-t.usd_micros) FILTER (WHERE ${isRefund}`)} AS refunds_usd,
  ${usd('t.usd_micros')} AS net_usd,
  ${usd(share('t.tax_bps'))} AS tax_usd,
  ${usd(share('t.commission_bps'))} AS commission_usd,
  ${usd(`t.usd_micros - ${share('t.tax_bps')} - ${share('t.commission_bps')}`)} AS proceeds_usd,
  count(*) FILTER (WHERE (t.kind || '') IN ('purchase', 'renewal', 'one_time')
    AND t.kind_seq + 0 = 0 AND t.amount_micros + 0 IS DISTINCT FROM 0) AS charges,
  count(*) FILTER (WHERE (t.kind || '') = 'refund') AS refunds
FROM public.store_transactions t
WHERE t.project_id = ${project} AND (t.ownership || '') = 'purchased' AND (t.store || '') <> 'promotional'
GROUP BY 1, 2, 3, 4, 5, 6`;

const views = { transactions, customers, subscriptions, ledger, events, daily_revenue: dailyRevenue };

/**
 * The views of SQL users. A user has no privilege on tables, so that the rights of the owner apply, and without the
 * barrier a function in a condition would see rows of other projects.
 */
export const createViews = `CREATE SCHEMA tenure_v1;
${Object.entries(views)
  .map(([name, query]) => `CREATE VIEW tenure_v1.${name} WITH (security_barrier) AS${query};`)
  .join('\n')}`;
