import { randomUUID } from 'node:crypto';
import { startDatabase } from './database.mjs';
import { APPLE_ID, BUNDLE_ID, fakeAppStore } from './fake-stores.mjs';
import { percentile } from './percentile.mjs';
import { startStoreServer } from './server.mjs';
import { appOf, posted } from './stores.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_795;
const DEVICES = 8;
const RETENTION_PER_SECOND = 50;
/** Customers about whom Apple asks. */
const ASKED = 200;

const address = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

/** Copies a customer and their subscription, so that the tables are large. */
const copies = [
  `INSERT INTO customers SELECT (json_populate_record(c, json_build_object('id', c.id || '-' || n,
     'original_app_user_id', c.original_app_user_id || '-' || n))).*
   FROM customers c, generate_series(1, $2::int) n WHERE c.id = $1`,
  `INSERT INTO customer_aliases SELECT (json_populate_record(a, json_build_object('customer_id', a.customer_id || '-' || n,
     'app_user_id', a.app_user_id || '-' || n))).*
   FROM customer_aliases a, generate_series(1, $2::int) n WHERE a.customer_id = $1`,
  `INSERT INTO subscriptions SELECT (json_populate_record(s, json_build_object('id', s.id || '-' || n,
     'store_key', s.store_key || '-' || n, 'customer_id', s.customer_id || '-' || n))).*
   FROM subscriptions s, generate_series(1, $2::int) n WHERE s.customer_id = $1`,
];

/** The cost of some rules of stores, compared with similar requests; prints tables. `tools`: how run.mjs starts and waits. */
export async function benchStoreRules({ nodeOn, until, cpuMs, log, quick, onDatabase, subscriptions }) {
  const database = await startDatabase();
  const apple = await fakeAppStore(database.folder);
  const url = `http://127.0.0.1:${PORT}`;
  const server = startStoreServer(nodeOn, {
    database,
    apple,
    port: PORT,
    // Tokens are limited by address.
    env: { SERVICE_TRUST_PROXY: 'true' },
  });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const world = await buildWorld(url, 10, null);
    const { privateKeyPem, keyId, issuerId } = apple.api.key;
    const own = await appOf(url, world, 'app_store', 'iOS', {
      bundle_id: BUNDLE_ID,
      app_apple_id: APPLE_ID,
      subscription_private_key: privateKeyPem,
      subscription_key_id: keyId,
      subscription_key_issuer: issuerId,
    });
    const headers = () => ({ ...own, 'x-forwarded-for': address() });
    const { json: apps } = await call(url, 'GET', `${world.path}/apps`, world.backendHeaders);
    const { id: appId } = apps.items.find(({ type }) => type === 'app_store');

    /** Sends two kinds of requests in turn; returns the median cost of the second, in units of the first. */
    const compare = async (name, first, second, bound) => {
      const rounds = quick ? 5 : 20;
      const ratios = { time: [], cpu: [] };
      for (let round = -1; round < rounds; round++) {
        const figures = [];
        for (const kind of round % 2 === 0 ? [first, second] : [second, first]) {
          const bodies = kind.bodies();
          const cpuBefore = cpuMs(server.pid);
          const startedAt = performance.now();
          await posted(url, headers, bodies, DEVICES, kind.path);
          const figure = { time: performance.now() - startedAt, cpu: cpuMs(server.pid) - cpuBefore };
          figures[kind === first ? 0 : 1] = figure;
        }
        // The first round warms up.
        if (round < 0) continue;
        for (const key of ['time', 'cpu']) ratios[key].push(figures[1][key] / figures[0][key]);
      }
      const row = { measure: name, bound };
      for (const key of ['time', 'cpu']) row[key] = Number(percentile(ratios[key], 0.5).toFixed(2));
      log(`${name}: ${row.time} x the time, ${row.cpu} x the processor time`);
      return row;
    };

    const many = (count, make) => () => Array.from({ length: count }, make);
    const user = () => `customer-${randomUUID()}`;
    const token = () =>
      Buffer.from(
        JSON.stringify({
          appAppleId: APPLE_ID,
          bundleId: BUNDLE_ID,
          tokenCreationDate: Date.now(),
          externalPurchaseId: randomUUID(),
        }),
      ).toString('base64url');
    const attributes = {
      bodies: many(200, () => ({ attributes: { plan: { value: 'gold', updated_at_ms: Date.now() } } })),
      path: () => `/v1/subscribers/${user()}/attributes`,
    };
    const tokens = {
      bodies: many(200, () => ({ app_user_id: user(), purchase_type: 'LINK_OUT', token: token() })),
      path: () => '/v1/external_purchase_tokens',
    };
    const seats = (tiers) => ({
      bodies: many(100, () => ({
        app_user_id: user(),
        product_id: apple.product.id,
        fetch_token: apple.store
          .subscribe(apple.store.account(), apple.product, {
            tiers: Array.from({ length: tiers }, (_, index) => ({ price: 1_000 + index, quantity: 1 })),
          })
          .signed(),
      })),
    });
    const rows = [
      await compare('tokens / attributes', attributes, tokens, 1.5),
      await compare('receipts with 1,000 prices / with one', seats(1), seats(1_000), 1.2),
    ];
    console.table(rows);

    const asked = Array.from({ length: ASKED }, () =>
      apple.store.subscribe(apple.store.account(), apple.product),
    );
    const bought = asked.map((one) => ({
      app_user_id: user(),
      product_id: apple.product.id,
      fetch_token: one.signed(),
    }));
    await posted(url, headers, bought, DEVICES);
    log(`copying a customer and their subscription ${subscriptions} times`);
    await onDatabase(database.url, async (client) => {
      const { rows: owners } = await client.query(
        'SELECT customer_id AS id FROM customer_aliases WHERE app_user_id = $1',
        [bought[0].app_user_id],
      );
      for (const copy of copies) await client.query(copy, [owners[0].id, subscriptions]);
      await client.query('VACUUM ANALYZE');
    });
    await call(url, 'POST', `${world.path}/apps/${appId}/retention_rules`, world.backendHeaders, {
      display_name: 'Bench',
      message_id: randomUUID(),
    });
    const path = `/v1/stores/app_store/${appId}/retention_message`;
    const times = [];
    const ask = async () => {
      const one = asked[Math.floor(Math.random() * ASKED)];
      const body = { signedPayload: apple.store.retentionRequest(one) };
      const startedAt = performance.now();
      await call(url, 'POST', path, {}, body);
      times.push(performance.now() - startedAt);
    };
    const seconds = quick ? 10 : 60;
    await until('the rule', () => ask().then(() => true));
    times.length = 0;
    const running = [];
    for (let sent = 0; sent < seconds * RETENTION_PER_SECOND; sent++) {
      running.push(ask());
      await new Promise((resolve) => setTimeout(resolve, 1_000 / RETENTION_PER_SECOND));
    }
    await Promise.all(running);
    const figure = (share) => Math.round(percentile(times, share));
    console.log(
      `retention answers at ${RETENTION_PER_SECOND}/s with ${subscriptions} subscriptions: ` +
        `p50 ${figure(0.5)} ms, p99 ${figure(0.99)} ms (at most 150), longest ${Math.round(Math.max(...times))} ms (at most 500)`,
    );
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('close', resolve));
    await apple.api.close();
    await database.stop();
  }
}
