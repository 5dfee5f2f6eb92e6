import { epochMs } from '../../platform/database/epoch-ms.js';

/** A type of record in an export: the rows of one table that concern the customer. */
export interface ExportSection {
  /** Value of `object` in its lines. */
  object: string;
  table: string;
  /** Columns exported unchanged, separated by spaces. */
  columns: string;
  /** Time columns, exported in epoch ms under the same name. */
  times: string;
  /** Computed columns, as a SQL list. */
  computed?: string;
  /** SQL after FROM that selects rows `t`. $1: project, $2: customer. */
  rows: string;
  order: string;
}

const ofCustomer = (table: string): string => `${table} t WHERE t.project_id = $1 AND t.customer_id = $2`;

/** The newest are exported. */
const MAX_SDK_EVENTS = 10_000;

/** Rows that contain an app user id of the customer. */
const ofIdsOfCustomer = (table: string, row = 't'): string => `${table} ${row}
  WHERE ${row}.project_id = $1 AND ${row}.app_user_id = ANY (ARRAY(
    SELECT app_user_id FROM customer_aliases WHERE project_id = $1 AND customer_id = $2))`;

const identifiersOf = (table: string, parent: string, key: string): string =>
  `${parent} p JOIN ${table} t ON t.project_id = p.project_id AND t.${key} = p.id
   WHERE p.project_id = $1 AND p.customer_id = $2`;

const purchaseColumns =
  'id app_id store environment customer_id original_customer_id original_customer_app_user_id store_product_id ' +
  'store_identifiers facts facts_at_ms emitted status version';

/** Deliveries have their event's time; replays have their own. */
const deliveriesOf = (side: string): string => `
  SELECT d.* FROM webhook_deliveries d
  WHERE d.project_id = e.project_id AND d.event_id = e.id AND ${side}`;

/**
 * Omits the other person's side of a transfer: the event, with their attributes, belongs to the customer who received
 * the purchase.
 */
const eventBody = `CASE WHEN t.customer_id = $2 THEN t.body
  ELSE (t.body::jsonb || '{"subscriber_attributes": {}}'::jsonb)::json END AS body`;

/** Omits the attributes of the previous owner of a transfer, which are those of another person. */
const deliveryCustomer = `CASE WHEN t.customer_info LIKE '%"previousOwner":%'
    THEN (t.customer_info::jsonb - 'previousOwner')::text ELSE t.customer_info END AS customer_info`;

export const exportSections: readonly ExportSection[] = [
  {
    object: 'customer',
    table: 'customers',
    columns:
      'id original_app_user_id last_seen_platform last_seen_platform_version last_seen_app_version ' +
      'last_seen_country last_seen_platform_flavor last_seen_sdk_version original_application_version ' +
      'current_offering_override adservices_token test_clock_id version event_sequence first_seen_country ' +
      'first_seen_platform first_seen_app_version',
    times: 'first_seen_at last_seen_at original_purchase_at test_clock_at last_event_at created_at',
    rows: 'customers t WHERE t.project_id = $1 AND t.id = $2',
    order: 't.id',
  },
  {
    object: 'customer.alias',
    table: 'customer_aliases',
    columns: 'app_user_id customer_id is_anonymous',
    times: 'created_at',
    rows: ofCustomer('customer_aliases'),
    order: 't.app_user_id',
  },
  {
    object: 'experiment_enrollment',
    table: 'experiment_enrollments',
    columns: 'experiment_id customer_id variant app_user_id app_id platform country is_sandbox merged',
    times: 'enrolled_at superseded_at',
    rows: ofCustomer('experiment_enrollments'),
    order: 't.enrolled_at, t.experiment_id',
  },
  {
    object: 'auth_identity',
    table: 'auth_identities',
    columns: 'provider_id subject app_user_id logins',
    times: 'last_login_at created_at',
    rows: ofIdsOfCustomer('auth_identities'),
    order: 't.provider_id, t.subject',
  },
  {
    object: 'customer_session',
    table: 'customer_sessions',
    columns: 'id app_id app_user_id method provider_id subject',
    times: 'signed_in_at last_used_at expires_at',
    rows: ofIdsOfCustomer('customer_sessions'),
    order: 't.id',
  },
  {
    object: 'blocked_customer',
    table: 'blocked_customers',
    columns: 'app_user_id note',
    times: 'blocked_at',
    rows: `customer_aliases a JOIN blocked_customers t
      ON t.project_id = a.project_id AND t.app_user_id = a.app_user_id
      WHERE a.project_id = $1 AND a.customer_id = $2`,
    order: 't.app_user_id',
  },
  {
    object: 'customer.attribute',
    table: 'customer_attributes',
    columns: 'customer_id name value updated_at_ms source',
    times: 'set_at',
    rows: ofCustomer('customer_attributes'),
    order: 't.name',
  },
  {
    object: 'customer.note',
    table: 'customer_notes',
    columns: 'id customer_id text',
    times: 'created_at edited_at',
    rows: ofCustomer('customer_notes'),
    order: 't.created_at, t.id',
  },
  {
    object: 'customer.day_seen',
    table: 'customer_days',
    columns: 'customer_id day',
    times: '',
    rows: ofCustomer('customer_days'),
    order: 't.day',
  },
  {
    object: 'store_account',
    table: 'store_accounts',
    columns: 'app_id kind account_key customer_id',
    times: 'seen_at',
    rows: ofCustomer('store_accounts'),
    order: 't.app_id, t.kind, t.account_key',
  },
  {
    object: 'subscription',
    table: 'subscriptions',
    columns: `${purchaseColumns} store_key granted_entitlement_id key_state unknown_lengths`,
    times: 'started_at access_ends_at held_from next_due_at created_at updated_at',
    rows: ofCustomer('subscriptions'),
    order: 't.started_at, t.id',
  },
  {
    object: 'subscription.store_identifier',
    table: 'subscription_identifiers',
    columns: 'store_identifier subscription_id',
    times: '',
    rows: identifiersOf('subscription_identifiers', 'subscriptions', 'subscription_id'),
    order: 't.subscription_id, t.store_identifier',
  },
  {
    object: 'purchase',
    table: 'one_time_purchases',
    columns: `${purchaseColumns} purchase_key`,
    times: 'purchased_at created_at updated_at',
    rows: ofCustomer('one_time_purchases'),
    order: 't.purchased_at, t.id',
  },
  {
    object: 'purchase.store_identifier',
    table: 'one_time_identifiers',
    columns: 'store_identifier purchase_id',
    times: '',
    rows: identifiersOf('one_time_identifiers', 'one_time_purchases', 'purchase_id'),
    order: 't.purchase_id, t.store_identifier',
  },
  {
    object: 'ownership_change',
    table: 'ownership_changes',
    columns:
      'id purchase_id from_customer_id from_app_user_id to_customer_id to_app_user_id rule is_restore request_id',
    times: 'occurred_at',
    rows: 'ownership_changes t WHERE t.project_id = $1 AND (t.from_customer_id = $2 OR t.to_customer_id = $2)',
    order: 't.occurred_at, t.id',
  },
  {
    object: 'redemption_link',
    table: 'redemption_links',
    columns: 'id customer_id purchase_kind purchase_id app_id store environment redeemed_by_customer_id',
    times: 'mailed_at created_at expires_at replaced_at revoked_at redeemed_at',
    computed: `CASE WHEN t.customer_id = $2 THEN t.email END AS email,
      CASE WHEN t.redeemed_by_customer_id = $2 THEN t.redeemed_by END AS redeemed_by`,
    rows: 'redemption_links t WHERE t.project_id = $1 AND (t.customer_id = $2 OR t.redeemed_by_customer_id = $2)',
    order: 't.created_at, t.id',
  },
  {
    object: 'external_purchase_token',
    table: 'external_purchase_tokens',
    columns: 'id app_id store kind environment external_purchase_id customer_id state',
    times: 'token_created_at token_expires_at created_at',
    rows: ofCustomer('external_purchase_tokens'),
    order: 't.created_at, t.id',
  },
  {
    object: 'refund_request',
    table: 'refund_requests',
    columns:
      'id app_id store environment store_request_key customer_id subscription_id purchase_id product_id purchase_key ' +
      'store_product_id transaction_id order_id store_data reason policy_id policy_name decided_by preference ' +
      'delivery_status consumption_percentage answer_status answer_reason note facts evidence body_sent attempts ' +
      'last_error is_unverified outcome outcome_key amount_micros currency usd_micros refunded_micros ' +
      'refunded_usd_micros',
    times: 'requested_at received_at deadline_at answered_at due_at last_error_at outcome_at',
    rows: ofCustomer('refund_requests'),
    order: 't.requested_at, t.id',
  },
  {
    object: 'transaction',
    table: 'store_transactions',
    columns:
      'id customer_id subscription_id purchase_id app_id store environment kind kind_seq period_key owner_key ' +
      'store_ids store_product_id amount_micros currency usd_micros fx_rate fx_day fx_source commission_bps ' +
      'tax_bps quantity price_source period_type ownership country',
    times: 'recorded_at purchased_at expires_at',
    rows: ofCustomer('store_transactions'),
    order: 't.purchased_at, t.id',
  },
  {
    object: 'virtual_currency.lot',
    table: 'virtual_currency_lots',
    columns: 'id customer_id code remaining granted taken_back source_key',
    times: 'expires_at created_at',
    rows: ofCustomer('virtual_currency_lots'),
    order: 't.code, t.id',
  },
  {
    object: 'virtual_currency.transaction',
    table: 'virtual_currency_transactions',
    columns: 'id code customer_id kind amount reference source_key',
    times: 'created_at',
    rows: ofCustomer('virtual_currency_transactions'),
    order: 't.created_at, t.id, t.code',
  },
  {
    object: 'event',
    table: 'events',
    columns:
      'id type dedupe_key customer_id other_customer_id sequence subscription_id purchase_id app_id ' +
      'environment delivery',
    times: 'created_at occurred_at',
    computed: eventBody,
    rows: 'events t WHERE t.project_id = $1 AND (t.customer_id = $2 OR t.other_customer_id = $2)',
    order: 't.created_at, t.id',
  },
  {
    object: 'sdk_event',
    table: 'sdk_events',
    columns: 'id kind app_id is_sandbox app_user_id paywall_id offering_id session_id platform locale data',
    times: 'at received_at',
    rows: `(SELECT e.* FROM ${ofIdsOfCustomer('sdk_events', 'e')} ORDER BY e.at DESC, e.id LIMIT ${MAX_SDK_EVENTS}) t`,
    order: 't.at, t.id',
  },
  {
    object: 'paywall_view',
    table: 'paywall_views',
    columns: 'environment app_user_id paywall_id',
    times: 'first_at initiated_at',
    rows: ofIdsOfCustomer('paywall_views'),
    order: 't.first_at, t.environment, t.app_user_id, t.paywall_id',
  },
  {
    object: 'webhook_delivery',
    table: 'webhook_deliveries',
    columns:
      'id webhook_integration_id event_id event_type status attempts response_status response_ms last_error ' +
      'replay customer_id sequence reason waits_for steps_done may_be_repeated',
    times: 'created_at event_created_at next_attempt_at last_attempt_at wait_until',
    computed: deliveryCustomer,
    rows: `events e CROSS JOIN LATERAL (
        ${deliveriesOf('d.created_at = e.created_at')}
        UNION ALL ${deliveriesOf('d.created_at <> e.created_at AND d.replay')}) t
      WHERE e.project_id = $1 AND e.customer_id = $2`,
    order: 't.created_at, t.id',
  },
];

/** Columns of exported tables that are excluded, with the reason. */
export const columnsLeftOut: Readonly<Record<string, string>> = {
  project_id: 'once, in the first line',
  'blocked_customers.blocked_by_type': 'about another person: a member of the project',
  'blocked_customers.blocked_by_id': 'about another person: a member of the project',
  'blocked_customers.blocked_by_email': 'about another person: a member of the project',
  'customer_notes.author_type': 'about another person: a member of the project',
  'customer_notes.author_id': 'about another person: a member of the project',
  'customer_notes.author_email': 'about another person: a member of the project',
  'customer_attributes.value_since_ms': 'an earlier time at which the same value was written',
  'customer_sessions.family_hash': 'part of what recognises a refresh token',
  'customer_sessions.refresh_hash': 'part of what recognises a refresh token',
  'customer_sessions.generation': 'counts refresh tokens; nothing about a person',
  'customer_sessions.generation_used_at': 'part of what recognises a refresh token',
  'external_purchase_tokens.sealed_token': 'encrypted; the other columns say what it contains',
  'refund_requests.answered_by': 'about another person: a member of the project',
  'refund_requests.lease_until': 'says which process is sending',
  'refund_requests.sealed_refund_token': 'encrypted; authorizes the answer to Google',
  'webhook_deliveries.lease_until': 'says which process is sending',
};

/** Tables about customers or their purchases that are excluded, with the reason. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  customer_snapshots: 'an answer prepared from the rest',
  listed_customers: 'a row for lists with filters, computed from the customer and their purchases',
  listed_customer_changes: 'marks of customers whose row for lists is computed again; nothing else',
  listed_customer_fills: 'how far the rows for lists with filters have come; nothing about a person',
  subscription_aliases: 'former ids of subscriptions, made here; nothing about a person',
  customer_erasures: 'only of customers who are deleted',
  external_purchase_bindings: 'connect tokens and purchases, which are exported',
  external_purchase_reports:
    'amounts of transactions, which are exported, in the form that app stores ask for',
  import_key_misses:
    'ids that a store did not know, so that it is not asked again at once; nothing about a person',
  import_order_misses: 'as import_key_misses',
  idempotency_keys: 'answers that a backend got, kept for a day in case it asks again',
  retention_requests: 'messages that the App Store showed about subscriptions; nothing about a person',
  self_checks: 'how far the daily comparison with the facts has come',
  chart_changes: 'a queue: purchases and customers whose figures in charts are to be computed again',
  chart_attribute_values: 'hashes of the values of attributes that charts tell apart; nothing about a person',
  chart_facts: 'figures of charts, computed from the purchases',
  chart_customers: 'figures of charts, computed from the customer',
  chart_buyers: 'figures of charts, computed from the purchases',
  chart_payers: 'figures of charts, computed from the purchases',
  chart_runs: 'figures of charts, computed from the purchases',
  chart_pieces: 'internal ids that split the customers of large projects; nothing about a person',
  customer_list_exports: 'the progress of downloads of lists; nothing about a person',
  report_changes: 'a queue: customers whose rows of data sets are derived again',
  report_customers: 'rows of data sets, derived from the customer',
  report_subscriptions: 'rows of data sets, derived from the purchases',
  report_transactions: 'rows of data sets, derived from the purchases',
  event_keys: 'keys of exported events, which keep them from being recorded twice',
  store_transaction_keys: 'keys of transactions, which are exported, so that none counts twice',
  webhook_attempts: "what an endpoint of the project answered to a delivery; the integration's log",
  webhook_replay_deliveries: 'which deliveries, which are exported, a replay sent',
  store_notifications: "a store's messages as they came, kept for some weeks; what they say is in the facts",
  store_notification_keys: 'which messages of stores have come',
  store_notification_copies: 'a queue: messages that are sent on to the project',
  test_clocks: 'a clock that failed names the customer at whom it stopped',
  store_refreshes: 'a queue: purchases that a store is to be asked about',
};

const named = (names: string): string[] => names.split(' ').filter((name) => name !== '');

/** Selects one text column `line`: the JSON of a record. */
export function sectionQuery({ object, columns, times, computed, rows, order }: ExportSection): string {
  const list = [
    `'${object}' AS object`,
    ...named(columns).map((name) => `t.${name}`),
    ...named(times).map((name) => `${epochMs(`t.${name}`)} AS ${name}`),
    ...(computed ? [computed] : []),
  ].join(', ');
  const from = rows.trimStart();
  return `SELECT row_to_json(record)::text AS line FROM (SELECT ${list} FROM ${from} ORDER BY ${order}) record`;
}
