import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_795;
const PER_CALL = 100;
/** Calls at a time, as the command line makes them. */
const AT_ONCE = 2;
/** Receipts a second beside the import. */
const RATE = 20;
const DAY_MS = 86_400_000;
/** Calls whose median is the speed at the start and at the end. */
const WINDOW = 50;

const settings = [
  `shared_buffers=${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  'max_wal_size=16GB',
  'min_wal_size=8GB',
  'checkpoint_timeout=30min',
];

/** A subscriber as the export of another service has it: 1.3 aliases, 6 attributes, 0.75 subscriptions, 4 transactions. */
function customerOf(number, appId, nowMs) {
  const seenMs = nowMs - (30 + (number % 700)) * DAY_MS;
  const aliases = [`$RCAnonymousID:${String(number).padStart(32, '0')}`];
  if (number % 10 < 3) aliases.push(`import-${number}@example.com`);
  const attributes = ['$email', '$displayName', '$mediaSource', '$campaign', 'plan', 'locale'].map(
    (name) => ({
      name,
      value: `${name.replace('$', '')} of ${number}`,
      updated_at: seenMs,
    }),
  );
  const customer = {
    id: `import-${number}`,
    aliases,
    first_seen_at: seenMs,
    last_seen_at: nowMs - DAY_MS,
    attributes,
  };
  if (number % 4 === 3) return customer;
  // Half of them are over.
  const lastMs = number % 2 === 0 ? nowMs - 10 * DAY_MS : nowMs - 100 * DAY_MS;
  const periods = [3, 2, 1, 0].map((back) => lastMs - back * 30 * DAY_MS);
  const transactions = periods.map((startMs, index) => ({
    id: `${3_000_000_000_000 + number * 10 + index}`,
    purchased_at: startMs,
    expires_at: startMs + 30 * DAY_MS,
    price: { amount: 9.99, currency: 'USD' },
  }));
  const isOpen = number % 2 === 0;
  const subscription = {
    app_id: appId,
    store: 'app_store',
    product_identifier: 'pro_monthly',
    starts_at: periods[0],
    current_period_starts_at: lastMs,
    current_period_ends_at: lastMs + 30 * DAY_MS,
    status: isOpen ? 'active' : 'expired',
    auto_renewal_status: isOpen ? 'will_renew' : 'will_not_renew',
    original_transaction_id: transactions[0].id,
    store_subscription_identifier: transactions[3].id,
    transactions,
  };
  return { ...customer, subscriptions: [subscription] };
}

async function onDatabase(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Imports `calls` times 100 customers, two calls at a time, then the first of them again, then some that join existing
 * customers; with receipts of the Test Store beside it, and the import's status at the end.
 */
export async function benchImport({ nodeOn, until, cpuMs, rssMb, log, calls }) {
  const database = await startDatabase(settings);
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, {
    database,
    port: PORT,
    env: {
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
    },
  });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const world = await buildWorld(url, PER_CALL, null);
    const { path, backendHeaders, sdkHeaders } = world;
    const app = (
      await call(url, 'POST', `${path}/apps`, backendHeaders, {
        name: 'Imported',
        type: 'app_store',
        app_store: { bundle_id: 'com.example.app' },
      })
    ).json;
    await call(url, 'POST', `${path}/products`, backendHeaders, {
      app_id: app.id,
      store_identifier: 'pro_monthly',
      type: 'subscription',
      subscription: { duration: 'P1M' },
    });
    const nowMs = Date.now();
    const importCall = async (customers) => {
      const startedAt = performance.now();
      const answer = await call(url, 'POST', `${path}/import/customers`, backendHeaders, {
        customers,
        resolve_store_ids: false,
        as_of: nowMs,
      });
      return { ms: performance.now() - startedAt, rows: answer.json.customers };
    };
    const customersOf = (number) =>
      Array.from({ length: PER_CALL }, (_, index) => customerOf(number * PER_CALL + index, app.id, nowMs));

    const latencies = { alone: [], beside: [] };
    let isImporting = false;
    let isOver = false;
    const receipts = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        await call(url, 'POST', '/v1/receipts', sdkHeaders, {
          app_user_id: `customer-${Math.floor(Math.random() * PER_CALL)}`,
          fetch_token: `test_${Date.now()}_${randomUUID()}`,
          product_id: 'pro_monthly',
          currency: 'USD',
        });
        const tookMs = performance.now() - startedAt;
        latencies[isImporting ? 'beside' : 'alone'].push(tookMs);
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 / RATE - tookMs)));
      }
    })();

    // Warms up; plans and caches are made.
    for (let number = 0; number < 5; number++) await importCall(customersOf(calls + number));
    await onDatabase(database.url, (client) => client.query('VACUUM ANALYZE'));
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    latencies.alone.splice(0, latencies.alone.length / 2);
    const idleMb = rssMb(server.pid);
    const cpuBefore = cpuMs(server.pid);
    isImporting = true;
    const times = [];
    const startedAt = performance.now();
    let next = 0;
    let maxMb = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < calls) {
          const { ms, rows } = await importCall(customersOf(next++));
          if (rows.some(({ status }) => status !== 'created'))
            throw new Error('a customer was known already');
          times.push(ms);
          if (times.length % 500 === 0)
            log(`${times.length} calls, ${Math.round(percentile(times.slice(-100), 0.5))} ms`);
          maxMb = Math.max(maxMb, rssMb(server.pid) ?? 0);
        }
      }),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpu = cpuBefore === null ? null : (cpuMs(server.pid) - cpuBefore) / times.length;
    isImporting = false;

    const again = [];
    for (let number = 0; number < Math.min(WINDOW, calls); number++) {
      again.push((await importCall(customersOf(number))).ms);
    }
    const alone = [];
    for (let number = 0; number < WINDOW; number++)
      alone.push((await importCall(customersOf(calls + 10 + number))).ms);
    const merging = [];
    for (let number = 0; number < Math.min(WINDOW, calls); number++) {
      // Five of a hundred name an existing customer as an alias.
      const customers = customersOf(calls + 100 + number).map((customer, index) =>
        index % 20 === 0
          ? { ...customer, aliases: [...customer.aliases, `import-${number * PER_CALL + index + 1}`] }
          : customer,
      );
      const { ms, rows } = await importCall(customers);
      if (!rows.some(({ status }) => status === 'merged')) throw new Error('nothing was merged');
      merging.push(ms);
    }
    const status = [];
    for (let count = 0; count < 20; count++) {
      const statusAt = performance.now();
      await call(url, 'GET', `${path}/import/status`, backendHeaders);
      status.push(performance.now() - statusAt);
    }
    isOver = true;
    await receipts;

    const ms = (values, share = 0.5) => Math.round(percentile(values, share));
    const start = ms(times.slice(0, Math.ceil(Math.min(WINDOW, times.length / 2))));
    const end = ms(times.slice(-Math.ceil(Math.min(WINDOW, times.length / 2))));
    console.table([
      { what: '100 new customers, one call at a time', 'p50 ms': ms(alone), 'p99 ms': ms(alone, 0.99) },
      { what: '100 new customers, two calls at a time', 'p50 ms': ms(times), 'p99 ms': ms(times, 0.99) },
      { what: 'the same again', 'p50 ms': ms(again), 'p99 ms': ms(again, 0.99) },
      {
        what: '100 customers of which 5 join existing ones',
        'p50 ms': ms(merging),
        'p99 ms': ms(merging, 0.99),
      },
      {
        what: `receipts at ${RATE}/s, alone`,
        'p50 ms': ms(latencies.alone),
        'p99 ms': ms(latencies.alone, 0.99),
      },
      {
        what: 'receipts beside the import',
        'p50 ms': ms(latencies.beside),
        'p99 ms': ms(latencies.beside, 0.99),
      },
      { what: 'import status, first call', 'p50 ms': Math.round(status[0]), 'p99 ms': null },
      {
        what: 'import status, later calls',
        'p50 ms': ms(status.slice(1)),
        'p99 ms': ms(status.slice(1), 0.99),
      },
    ]);
    console.log(
      `${calls * PER_CALL} customers in ${Math.round(seconds)} s (${Math.round((calls * PER_CALL) / seconds)}/s); ` +
        `the last calls took ${(end / start).toFixed(2)} x the first ones; ` +
        `the server used ${Math.round(cpu ?? 0)} ms of processor time a call and ${idleMb} MB before, ` +
        `at most ${maxMb} MB while it imported`,
    );
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
    await database.stop();
  }
}
