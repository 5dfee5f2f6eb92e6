import pg from 'pg';
import { startDatabase } from './database.mjs';
import { serverArgs } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_797;
const PIECE = 20_000;
const settings = ['shared_buffers=1GB', 'max_wal_size=16GB', 'checkpoint_timeout=30min', 'work_mem=32MB'];

/** Customers $2 to $3 of project $1 and app $4: a third never buys, the others pay for 1 to 29 months until $5. */
const customers = `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, first_seen_country,
    first_seen_platform, created_at)
  SELECT $1, 'cus' || lpad(n::text, 9, '0'), 'cus' || n,
    to_timestamp($4::bigint / 1000.0) - (n::bigint * 7919 % 1080 + 1)::int * interval '1 day',
    (ARRAY['US','US','US','US','GB','DE','FR','JP','BR','IN','CA','AU','ES','IT','NL','SE'])[1 + n * 31 % 16],
    (ARRAY['iOS','iOS','Android'])[1 + n % 3], now()
  FROM generate_series($2::int, $3::int) n`;

const subscriptions = `WITH sold AS (
    SELECT n, 'sub' || lpad(n::text, 9, '0') AS id, c.id AS customer_id, c.first_seen_at AS starts,
      least(1 + n * 13 % 29, 1 + extract(day FROM to_timestamp($5::bigint / 1000.0) - c.first_seen_at)::int / 30) AS months,
      (ARRAY['pro_monthly','pro_plus','pro_max','pro_annual'])[1 + n * 17 % 4] AS product,
      (n * 11 % 4)::int AS kind, (ARRAY['main','sale','', 'winter'])[1 + n * 5 % 4] AS offering
    FROM generate_series($2::int, $3::int) n
    JOIN customers c ON c.project_id = $1 AND c.id = 'cus' || lpad(n::text, 9, '0') WHERE n % 3 > 0
  ), periods AS (
    SELECT s.*, k, starts + k * interval '30 days' AS begins, starts + (k + 1) * interval '30 days' AS ends,
      CASE WHEN k = 0 AND kind = 0 THEN 'trial' WHEN k = 0 AND kind = 1 THEN 'intro' ELSE 'normal' END AS type
    FROM sold s CROSS JOIN LATERAL generate_series(0, s.months - 1) k
  ), ledger AS (
    INSERT INTO store_transactions (project_id, recorded_at, id, customer_id, subscription_id, app_id, store,
      environment, kind, kind_seq, period_key, owner_key, store_ids, store_product_id, amount_micros, currency,
      usd_micros, commission_bps, tax_bps, quantity, price_source, purchased_at, expires_at, period_type, ownership)
    SELECT $1, now(), 'txn' || id || '-' || k, customer_id, id, $4, 'app_store', 'production',
      CASE WHEN type = 'trial' THEN 'trial_start' WHEN k = 0 THEN 'purchase' ELSE 'renewal' END, 0, 'p' || k, id, '{}'::text[],
      product, CASE WHEN type = 'trial' THEN 0 ELSE 9990000 END, 'USD', CASE WHEN type = 'trial' THEN 0 ELSE 9990000 END,
      3000, 0, 1, 'store', begins, ends, type, 'purchased' FROM periods
    UNION ALL
    SELECT $1, now(), 'ref' || id || '-' || k, customer_id, id, $4, 'app_store', 'production', 'refund', 0, 'p' || k, id,
      '{}'::text[], product, -9990000, 'USD', -9990000, 3000, 0, 1, 'store', begins + interval '3 days', ends, type, 'purchased'
    FROM periods WHERE n % 40 = 1 AND k = months - 1 AND type <> 'trial'
  )
  INSERT INTO subscriptions (project_id, id, app_id, store, environment, store_key, customer_id, original_customer_id,
    original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms, emitted, started_at, status,
    created_at, updated_at)
  SELECT $1, id, $4, 'app_store', 'production', id, customer_id, customer_id, 'x', min(product), '{}'::text[],
    json_build_object('periods', json_object_agg('p' || k, json_build_object('at', 1, 'src', 'signed', 'value',
      json_build_object('storeProductId', product, 'planId', null, 'offerCode', null, 'kind', type, 'isRenewal', k > 0,
        'startMs', (extract(epoch FROM begins) * 1000)::bigint, 'endMs', (extract(epoch FROM ends) * 1000)::bigint,
        'price', json_build_object('amountMicros', 9990000, 'currency', 'USD', 'source', 'store'), 'quantity', 1,
        'ownership', 'purchased', 'storeTransactionId', id || k, 'country', null))),
      'refunds', CASE WHEN min(n) % 40 = 1 THEN json_build_object('p' || max(k), json_build_object('at', 1, 'src',
        'signed', 'value', json_build_object('revokedAtMs', (extract(epoch FROM max(begins)) * 1000)::bigint + 259200000,
          'kind', 'full', 'amountMicros', 9990000))) ELSE '{}'::json END,
      'renewal', null, 'replaced', null, 'pending', null,
      'hints', json_build_object('at', 1, 'src', 'device', 'value', json_build_object('presentedOfferingId', min(offering)))),
    1, '{}', min(begins), 'expired', now(), now()
  FROM periods GROUP BY id, customer_id`;

/** A server and its database with customers who bought, before their figures are computed. */
export async function startChartsWorld({ nodeOn, until, log, count }) {
  const database = await startDatabase(settings);
  const url = `http://127.0.0.1:${PORT}`;
  const server = nodeOn(null, serverArgs, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'warn',
      PORT: String(PORT),
    },
  });
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
    const app = await post('/apps', {
      name: 'Sold',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    for (const name of ['pro_monthly', 'pro_plus', 'pro_max', 'pro_annual']) {
      const duration = name === 'pro_annual' ? 'P1Y' : 'P1M';
      const product = { store_identifier: name, app_id: app.id, type: 'subscription' };
      await post('/products', { ...product, display_name: name, subscription: { duration } });
    }
    await client.connect();
    const nowMs = Date.now();
    // The rollup begins when everything is there.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM chart_projects WHERE project_id = $1 FOR UPDATE', [projectId]);
    for (let from = 1; from <= count; from += PIECE) {
      const to = Math.min(count, from + PIECE - 1);
      await client.query(customers, [projectId, from, to, nowMs]);
      await client.query(subscriptions, [projectId, from, to, app.id, nowMs]);
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
      serverPid: server.pid,
      databasePid: database.pid,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
