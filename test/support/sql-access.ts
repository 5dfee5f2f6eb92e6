import pg from 'pg';
import type { Json } from './api-client.js';
import type { SignedUp } from './arrange.js';

/** A client whose notices are kept, and which outlives the end of its session. */
export interface SqlClient {
  client: pg.Client;
  notices: string[];
  /** Rows of a statement. */
  rows(text: string, values?: unknown[]): Promise<Json[]>;
  /** Message of the error of a statement; null if it succeeds. */
  refusal(text: string, values?: unknown[]): Promise<string | null>;
  close(): Promise<void>;
}

export async function connectSql(url: string): Promise<SqlClient> {
  const client = new pg.Client({ connectionString: url });
  const notices: string[] = [];
  client.on('notice', ({ message = '' }) => notices.push(message));
  client.on('error', () => undefined);
  await client.connect();
  return {
    client,
    notices,
    rows: async (text, values) => (await client.query<Json>(text, values)).rows,
    refusal: (text, values) =>
      client.query(text, values).then(
        () => null,
        ({ message }: Error) => message,
      ),
    close: () => client.end().catch(() => undefined),
  };
}

/** Starts a statement that takes ten minutes, and comes back when it runs. `ended` becomes the error that ends it. */
export async function startSleeping(
  sql: SqlClient,
  serverUrl: string,
): Promise<{ ended: Promise<string | null> }> {
  const [session] = await sql.rows('SELECT pg_backend_pid() AS pid');
  const ended = sql.refusal('SELECT pg_sleep(600)');
  const observer = await connectSql(serverUrl);
  const running = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`;
  while ((await observer.rows(running, [session?.pid])).length === 0);
  await observer.close();
  return { ended };
}

/** A SQL user, as the answer that shows its password. */
export async function createSqlUser(
  { session, projectId }: Pick<SignedUp, 'session' | 'projectId'>,
  body: object = {},
): Promise<Json> {
  const path = `/v2/projects/${projectId}/sql_users`;
  const answer = await session.post(path, { name: 'Metabase', ...body });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The connection string of a user for another server, such as a replica. */
export function sqlUrlAt(connectionUrl: string, serverUrl: string): string {
  const url = new URL(connectionUrl);
  url.host = new URL(serverUrl).host;
  return url.toString();
}

/**
 * `count` rows in every table that the views read, each of its own customer. Every text begins with `tag`; rows of equal
 * numbers have equal times and amounts in all projects.
 */
export async function insertSqlRows(
  dataSource: { query(text: string, values: unknown[]): Promise<unknown> },
  projectId: string,
  tag: string,
  count: number,
): Promise<void> {
  const values = [projectId, tag, count];
  const start = `date_trunc('day', now()) - interval '1 day' * (n % 30)`;
  for (const text of [
    `INSERT INTO report_customers (project_id, customer_id, original_app_user_id, last_seen_app_user_id, aliases,
       first_seen_at, last_seen_at, last_seen_platform, last_seen_app_version, last_seen_country, reserved_attributes,
       custom_attributes, experiment_id, experiment_variant, seq, changed_at, hash, tx_seq, tx_changed_at, tx_hash)
     SELECT $1, $2 || '_customer_' || n, $2 || '_original_' || n, $2 || '_seen_' || n, ARRAY[$2 || '_alias_' || n],
       ${start}, ${start}, $2 || '_platform', $2 || '_version', $2 || '_country',
       jsonb_build_object($2 || '_reserved', n), jsonb_build_object($2 || '_custom', n), $2 || '_experiment', 'a',
       n, ${start}, '', n, ${start}, ''
     FROM generate_series(1, $3::int) n`,
    `INSERT INTO report_transactions (project_id, purchase_id, period_key, product, customer_id, app_id, country,
       country_source, product_identifier, product_display_name, product_duration, start_time, end_time, store,
       is_auto_renewable, is_trial_period, is_in_intro_offer_period, is_sandbox, price_in_usd, purchase_price_in_usd,
       takehome_percentage, tax_percentage, commission_percentage, store_transaction_id, original_store_transaction_id,
       purchased_currency, price_in_purchased_currency, purchase_price_in_purchased_currency, entitlement_identifiers,
       renewal_number, is_trial_conversion, presented_offering, ownership_type, offer, offer_type, seq, changed_at, hash)
     SELECT $1, $2 || '_purchase_' || n, '', '', $2 || '_customer_' || n, $2 || '_app', $2 || '_country', 'from_sdk',
       $2 || '_product', $2 || '_display', 'P1M', ${start}, ${start} + interval '30 days', 'app_store', true, false,
       false, false, 9.99, 9.99, 0.7, 0, 0.3, $2 || '_transaction_' || n, $2 || '_first_' || n, 'USD', 9.99, 9.99,
       ARRAY[$2 || '_entitlement'], 1, false, $2 || '_offering', 'PURCHASED', $2 || '_offer', 'offer_code', n, ${start}, ''
     FROM generate_series(1, $3::int) n`,
    `INSERT INTO report_subscriptions (project_id, id, kind, customer_id, app_id, store, environment, product_identifier,
       status, gives_access, auto_renewal_status, started_at, ownership, original_store_transaction_id,
       latest_store_transaction_id, entitlement_identifiers, price_currency, price_micros, seq, changed_at, hash)
     SELECT $1, $2 || '_subscription_' || n, 'subscription', $2 || '_customer_' || n, $2 || '_app', 'app_store',
       'production', $2 || '_product', $2 || '_status', true, $2 || '_renewal', ${start}, 'PURCHASED',
       $2 || '_first_' || n, $2 || '_latest_' || n, ARRAY[$2 || '_entitlement'], 'USD', 9990000, n, ${start}, ''
     FROM generate_series(1, $3::int) n`,
    `INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, app_id, store,
       environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
       usd_micros, fx_rate, commission_bps, tax_bps, quantity, price_source, purchased_at, expires_at, period_type,
       ownership, country)
     SELECT $1, ${start}, $2 || '_ledger_' || n, $2 || '_customer_' || n, $2 || '_subscription_' || n, $2 || '_app',
       'app_store', 'production', 'purchase', 0, n::text, $2 || n, ARRAY[$2 || '_transaction_' || n], $2 || '_product',
       9990000, 'USD', 9990000, 1, 3000, 0, 1, 'store', ${start}, ${start} + interval '30 days', 'normal', 'purchased',
       $2 || '_country'
     FROM generate_series(1, $3::int) n`,
    `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, sequence,
       subscription_id, app_id, environment, delivery, body)
     SELECT $1, ${start}, $2 || '_event_' || n, ${start}, $2 || '_type', $2 || n, $2 || '_customer_' || n, n,
       $2 || '_subscription_' || n, $2 || '_app', 'production', 'send', json_build_object('text', $2 || '_body_' || n)
     FROM generate_series(1, $3::int) n`,
  ])
    await dataSource.query(text, values);
}

export const sqlViews = [
  'transactions',
  'customers',
  'subscriptions',
  'ledger',
  'events',
  'daily_revenue',
] as const;
