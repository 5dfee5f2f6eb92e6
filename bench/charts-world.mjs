import pg from 'pg';
import { startDatabase } from './database.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_797;
const PIECE = 20_000;
const settings = ['shared_buffers=1GB', 'max_wal_size=16GB', 'checkpoint_timeout=30min', 'work_mem=32MB'];

/** Days of activity that a project has. */
const ACTIVE_DAYS = 90;
const seconds = (n) => `(${n}::bigint * 48271 % 86400)::int * interval '1 second'`;
const hash = (text, below) => `(abs(hashtextextended(${text}, 0)) % ${below})::int`;

/** Customers $2 to $3 of project $1: a third never buys, the others pay for 1 to 29 months until $4. */
const customers = `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, first_seen_country,
    first_seen_platform, created_at)
  SELECT $1, 'cus' || lpad(n::text, 9, '0'), 'cus' || n,
    to_timestamp($4::bigint / 1000.0) - (n::bigint * 7919 % 1080 + 1)::int * interval '1 day' - ${seconds('n')},
    CASE WHEN n % 4 = 0 THEN 'US' ELSE chr(65 + n * 31 % 60 / 26) || chr(65 + n * 31 % 60 % 26) END,
    (ARRAY['iOS','iOS','Android'])[1 + n % 3], now()
  FROM generate_series($2::int, $3::int) n`;

/** 30% of the customers on each day. */
const activity = `INSERT INTO customer_days (project_id, customer_id, day)
  SELECT $1, c.id, d::date FROM customers c
  CROSS JOIN generate_series(to_timestamp($4::bigint / 1000.0) - interval '${ACTIVE_DAYS} days',
    to_timestamp($4::bigint / 1000.0), interval '1 day') d
  WHERE c.project_id = $1 AND c.id BETWEEN 'cus' || lpad($2::int::text, 9, '0') AND 'cus' || lpad($3::int::text, 9, '0')
    AND c.first_seen_at <= d AND ${hash('c.id || d::date::text', 10)} < 3
  ON CONFLICT DO NOTHING`;

/**
 * Periods are months of the calendar. One in ten renewals is retried for 1 to 16 days, which moves the following ones,
 * and one in thirty follows a lapse of 20 to 80 days.
 */
const subscriptions = `WITH RECURSIVE sold AS (
    SELECT n, 'sub' || lpad(n::text, 9, '0') AS id, c.id AS customer_id, c.first_seen_at AS starts,
      1 + n * 13 % 29 AS months, (ARRAY['pro_monthly','pro_plus','pro_max','pro_annual'])[1 + n * 17 % 4] AS product,
      (n * 11 % 4)::int AS kind, (ARRAY['main','sale','', 'winter'])[1 + n * 5 % 4] AS offering,
      (ARRAY[$4::text, $6::text])[1 + n % 2] AS app, (ARRAY['USD','USD','EUR','JPY'])[1 + n * 7 % 4] AS currency,
      (ARRAY[9990000, 9990000, 8990000, 1500000000])[1 + n * 7 % 4] AS price
    FROM generate_series($2::int, $3::int) n
    JOIN customers c ON c.project_id = $1 AND c.id = 'cus' || lpad(n::text, 9, '0') WHERE n % 3 > 0
  ), walk AS (
    SELECT s.*, 0 AS k, starts::timestamptz AS begins FROM sold s
    UNION ALL
    SELECT w.n, w.id, w.customer_id, w.starts, w.months, w.product, w.kind, w.offering, w.app, w.currency, w.price,
      w.k + 1, w.begins + interval '1 month' + CASE
        WHEN ${hash("w.id || w.k || 'retry'", 10)} = 0 THEN (1 + ${hash('w.id || w.k', 16)}) * interval '1 day'
        WHEN ${hash("w.id || w.k || 'lapse'", 30)} = 0 THEN (20 + ${hash('w.id || w.k', 60)}) * interval '1 day'
        ELSE interval '0' END
    FROM walk w WHERE w.k + 1 < w.months AND w.begins + interval '3 months' < to_timestamp($5::bigint / 1000.0)
  ), periods AS (
    SELECT w.*, begins + interval '1 month' AS ends,
      CASE WHEN k = 0 AND kind = 0 THEN 'trial' WHEN k = 0 AND kind = 1 THEN 'intro' ELSE 'normal' END AS type,
      ${hash("w.id || w.k || 'refund'", 50)} = 0 AS is_refunded,
      least(begins + (1 + ${hash("w.id || w.k || 'days'", 60)}) * interval '1 day', to_timestamp($5::bigint / 1000.0)) AS refunded_at
    FROM walk w
  ), ledger AS (
    INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, app_id, store,
      environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
      usd_micros, commission_bps, tax_bps, quantity, price_source, purchased_at, expires_at, period_type, ownership)
    SELECT $1, now(), 'txn' || id || '-' || k, customer_id, id, app, 'app_store', 'production',
      CASE WHEN type = 'trial' THEN 'trial_start' WHEN k = 0 THEN 'purchase' ELSE 'renewal' END, 0, 'p' || k, id, '{}'::text[],
      product, CASE WHEN type = 'trial' THEN 0 ELSE price END, currency, CASE WHEN type = 'trial' THEN 0 ELSE 9990000 END,
      3000, 0, 1, 'store', begins, ends, type, 'purchased' FROM periods
    UNION ALL
    SELECT $1, now(), 'ref' || id || '-' || k, customer_id, id, app, 'app_store', 'production', 'refund', 0, 'p' || k, id,
      '{}'::text[], product, -price, currency, -9990000, 3000, 0, 1, 'store', refunded_at, ends, type, 'purchased'
    FROM periods WHERE is_refunded AND type <> 'trial'
  )
  INSERT INTO subscriptions (project_id, id, app_id, store, environment, store_key, customer_id, original_customer_id,
    original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms, emitted, started_at, status,
    created_at, updated_at)
  SELECT $1, id, app, 'app_store', 'production', id, customer_id, customer_id, 'x', min(product), '{}'::text[],
    json_build_object('periods', json_object_agg('p' || k, json_build_object('at', 1, 'src', 'signed', 'value',
      json_build_object('storeProductId', product, 'planId', null, 'offerCode', null, 'kind', type, 'isRenewal', k > 0,
        'startMs', (extract(epoch FROM begins) * 1000)::bigint, 'endMs', (extract(epoch FROM ends) * 1000)::bigint,
        'price', json_build_object('amountMicros', price, 'currency', currency, 'source', 'store'), 'quantity', 1,
        'ownership', 'purchased', 'storeTransactionId', id || k, 'country', null))),
      'refunds', coalesce(json_object_agg('p' || k, json_build_object('at', 1, 'src', 'signed', 'value',
        json_build_object('revokedAtMs', (extract(epoch FROM refunded_at) * 1000)::bigint, 'kind', 'full',
          'amountMicros', price))) FILTER (WHERE is_refunded AND type <> 'trial'), '{}'::json),
      'renewal', null, 'replaced', null, 'pending', null,
      'hints', json_build_object('at', 1, 'src', 'device', 'value', json_build_object('presentedOfferingId', min(offering)))),
    1, json_build_object('opened', json_agg('p' || k)), min(begins), 'expired', now(), now()
  FROM periods GROUP BY id, customer_id, app`;

const aliases = `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
  SELECT $1, 'cus' || n, 'cus' || lpad(n::text, 9, '0'), false, now() FROM generate_series($2::int, $3::int) n
  ON CONFLICT DO NOTHING`;

/** Each customer saw two of ten paywalls within two days, and one in five began a purchase. */
const views = `INSERT INTO paywall_views (project_id, environment, app_user_id, paywall_id, first_at, initiated_at)
  SELECT $1, 'production', c.original_app_user_id, 'pw' || (${hash('c.id', 5)} + 5 * k),
    c.first_seen_at + k * interval '1 day',
    CASE WHEN ${hash("c.id || 'initiated'", 5)} = 0 THEN c.first_seen_at + k * interval '1 day' END
  FROM customers c CROSS JOIN generate_series(0, 1) k
  WHERE c.project_id = $1 AND c.id BETWEEN 'cus' || lpad($2::int::text, 9, '0') AND 'cus' || lpad($3::int::text, 9, '0')`;

/** A server and its database with customers who bought, before their figures are computed. */
export async function startChartsWorld({ nodeOn, until, log, count }) {
  const database = await startDatabase(settings);
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, { database, port: PORT });
  const client = new pg.Client({ connectionString: database.url });
  const stop = async () => {
    await client.end().catch(() => undefined);
    server.kill();
    await database.stop();
  };
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const { path, backendHeaders } = await buildWorld(url, 10, null);
    const projectId = path.split('/').at(-1);
    const post = async (suffix, body) => (await call(url, 'POST', path + suffix, backendHeaders, body)).json;
    const apps = [];
    for (const name of ['one', 'two']) {
      const app = await post('/apps', {
        name,
        type: 'app_store',
        app_store: { bundle_id: `com.example.${name}` },
      });
      apps.push(app.id);
      for (const product of ['pro_monthly', 'pro_plus', 'pro_max', 'pro_annual']) {
        const duration = product === 'pro_annual' ? 'P1Y' : 'P1M';
        await post('/products', {
          store_identifier: product,
          app_id: app.id,
          type: 'subscription',
          display_name: product,
          subscription: { duration },
        });
      }
    }
    await client.connect();
    const nowMs = Date.now();
    // The rollup begins when everything is there.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM chart_projects WHERE project_id = $1 FOR UPDATE', [projectId]);
    for (let from = 1; from <= count; from += PIECE) {
      const to = Math.min(count, from + PIECE - 1);
      await client.query(customers, [projectId, from, to, nowMs]);
      await client.query(activity, [projectId, from, to, nowMs]);
      await client.query(aliases, [projectId, from, to]);
      await client.query(views, [projectId, from, to]);
      await client.query(subscriptions, [projectId, from, to, apps[0], nowMs, apps[1]]);
      log(`${to} customers`);
    }
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    return {
      url,
      path,
      backendHeaders,
      client,
      nowMs,
      databaseUrl: database.url,
      serverPid: server.pid,
      databasePid: database.pid,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
