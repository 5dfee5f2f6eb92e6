import { setTimeout as pause } from 'node:timers/promises';
import { startDatabase } from './database.mjs';
import { APPLE_ID, BUNDLE_ID, fakeAppStore } from './fake-stores.mjs';
import { withMemory } from './memory.mjs';
import { percentile } from './percentile.mjs';
import { startStoreServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_796;
const POLICIES = 50;
const CONDITIONS = 20;
/** Notifications a second. */
const PER_SECOND = 4;
const DAY_MS = 86_400_000;

/** All conditions of a policy match, except the last one of each policy but the default. */
function conditionsOf(policy) {
  const matching = Array.from({ length: CONDITIONS - 1 }, (_, n) => ({
    field: ['days_since_purchase', 'lifetime_usd', 'paid_periods', 'price_usd'][n % 4],
    operator: '<',
    value: 1_000 + n,
  }));
  return [...matching, { field: 'refunds_before', operator: '>', value: 1_000 + policy }];
}

const facts = {
  original_app_user_id: 'customer-1',
  app_config: 'app',
  country: 'US',
  custom_attribute: {},
  refund_reason: 'OTHER',
  days_since_purchase: 3,
  paid_periods: 2,
  refunds_before: 0,
  requests_before: 1,
  lifetime_usd: 19.98,
  price_usd: 9.99,
};

/** Processor time of one decision by all policies (ms), in this process. */
async function decision(rounds) {
  const { compileRefundPolicies, firstMatch } = await import('../dist/libs/targeting/index.js');
  const policies = Array.from({ length: POLICIES }, (_, n) => ({
    id: `rfpl${n}`,
    displayName: 'Policy',
    conditions: n === POLICIES - 1 ? [] : conditionsOf(n).map((one) => ({ ...one, context: null })),
    stores: ['app_store', 'play_store'],
    preference: 'decline',
    holdMinutes: 0,
  }));
  const compiled = compileRefundPolicies(policies);
  for (let round = 0; round < rounds / 10; round++) firstMatch(compiled, 'app_store', facts);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) firstMatch(compiled, 'app_store', facts);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}

/** Times of answers to notifications (ms), sent at a steady rate that leaves the server time for other work. */
async function acknowledged(url, appId, bodies) {
  const send = async (body) => {
    const startedAt = performance.now();
    const response = await fetch(`${url}/v1/notifications/apple/${appId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a notification was answered with ${response.status}`);
    return performance.now() - startedAt;
  };
  const sent = [];
  for (const body of bodies) {
    sent.push(send(body));
    await pause(1_000 / PER_SECOND);
  }
  return Promise.all(sent);
}

/** Refund requests of the last 80 days; the first `previewed` have facts that policies decide by. */
const insertRequests = (client, { projectId, appId }, rows, previewed) =>
  client.query(
    `INSERT INTO refund_requests (project_id, id, app_id, store, environment, store_request_key, requested_at,
       received_at, deadline_at, policy_id, policy_name, decided_by, preference, answer_status, attempts, facts,
       outcome, amount_micros, currency, usd_micros, reason)
     SELECT $1, 'rfrqbench' || lpad(n::text, 7, '0'), $2, 'app_store', 'production', 'bench' || n, at, at, at,
       'rfpl' || n % 10, 'Policy', 'policy', 'decline', 'sent', 1, CASE WHEN n <= $4::int THEN $5::jsonb END,
       (ARRAY['refunded', 'declined', NULL])[1 + n % 3], 9990000, 'USD', 9990000, 'OTHER'
     FROM (SELECT n, now() - n * interval '69 seconds' AS at FROM generate_series(1, $3::int) n) r`,
    [projectId, appId, rows, previewed, JSON.stringify(facts)],
  );

const insertEvents = (client, { projectId, appId }, rows) =>
  client.query(
    `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, app_id, environment, delivery, body)
     SELECT $1, at, 'bench' || n, at, 'RENEWAL', 'bench' || n, $2, 'production', 'suppressed',
       json_build_object('id', 'bench' || n, 'type', 'RENEWAL', 'price', 9.99, 'currency', 'USD')
     FROM (SELECT n, now() - n * interval '10 seconds' AS at FROM generate_series(1, $3::int) n) r`,
    [projectId, appId, rows],
  );

/** The refund desk: decisions, notifications, preview, list and statistics; prints a table. */
export async function benchRefunds(tools) {
  const { nodeOn, until, cpuMs, rssMb, log, onDatabase, loadOnce, quick } = tools;
  const [blocks, ofBlock] = quick ? [3, 30] : [8, 60];
  const [listed, previewed] = quick ? [20_000, 2_000] : [100_000, 10_000];
  const rows = [];
  const row = (what, figure, bound) => rows.push({ what, figure, bound });
  const decidedMs = await decision(quick ? 5_000 : 50_000);
  row(
    `deciding with ${POLICIES} policies of ${CONDITIONS} conditions, CPU`,
    `${decidedMs.toFixed(4)} ms`,
    '1 ms',
  );

  const database = await startDatabase();
  const apple = await fakeAppStore(database.folder);
  const url = `http://127.0.0.1:${PORT}`;
  const server = startStoreServer(nodeOn, {
    database,
    apple,
    port: PORT,
  });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const world = await buildWorld(url, 10, null);
    const { path, backendHeaders, projectId } = world;
    const post = async (suffix, body) => (await call(url, 'POST', path + suffix, backendHeaders, body)).json;
    const { privateKeyPem, keyId, issuerId } = apple.api.key;
    const app = await post('/apps', {
      name: 'Bench',
      type: 'app_store',
      app_store: {
        bundle_id: BUNDLE_ID,
        app_apple_id: APPLE_ID,
        subscription_private_key: privateKeyPem,
        subscription_key_id: keyId,
        subscription_key_issuer: issuerId,
        refund_data_consent: 'all_customers',
      },
    });
    const keys = await call(url, 'GET', `${path}/apps/${app.id}/public_api_keys`, backendHeaders);
    const headers = { authorization: `Bearer ${keys.json.items[0].key}`, 'x-platform': 'iOS' };
    for (let policy = 1; policy < POLICIES; policy++) {
      const body = {
        display_name: `Policy ${policy}`,
        preference: 'decline',
        conditions: conditionsOf(policy),
      };
      await post('/refund_policies', body);
    }
    const subscriptions = Array.from({ length: ofBlock }, () =>
      apple.store.subscribe(apple.store.account(), apple.product),
    );
    for (const [n, subscription] of subscriptions.entries())
      await call(url, 'POST', '/v1/receipts', headers, {
        app_user_id: `refunding-${n}`,
        fetch_token: subscription.signed(),
      });

    const isIdle = () =>
      onDatabase(database.url, async (client) => {
        const inbox = await client.query(
          `SELECT 1 FROM store_notifications WHERE state = 'received' LIMIT 1`,
        );
        const due = await client.query(`SELECT 1 FROM refund_requests WHERE due_at IS NOT NULL LIMIT 1`);
        return inbox.rowCount === 0 && due.rowCount === 0;
      });
    const times = { do_not_handle: [], policies: [] };
    const cpu = { do_not_handle: 0, policies: 0 };
    const settings = Object.keys(times);
    // Blocks in turn, the first two unmeasured, so that both settings meet the same machine.
    for (let block = -2; block < blocks * 2; block++) {
      const handling = settings[Math.abs(block) % 2];
      await post(`/apps/${app.id}`, { app_store: { refund_request_handling: handling } });
      const bodies = subscriptions.map((subscription) => subscription.askConsumption().body);
      const before = cpuMs(server.pid);
      const found = await acknowledged(url, app.id, bodies);
      await until('the refund desk', isIdle);
      if (block < 0) continue;
      times[handling].push(...found);
      cpu[handling] += cpuMs(server.pid) - before;
    }
    const [off, on] = settings.map((handling) => percentile(times[handling], 0.5));
    log(`notifications: ${off.toFixed(1)} ms off, ${on.toFixed(1)} ms on`);
    for (const handling of settings)
      row(
        `CPU of a notification, ${handling}`,
        `${(cpu[handling] / times[handling].length).toFixed(1)} ms`,
        '',
      );
    row('notification acknowledged, desk on : off (p50)', (on / off).toFixed(3), '1.05');
    const [answers] = await onDatabase(
      database.url,
      async (client) =>
        (
          await client.query(
            `SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM answered_at - received_at)) AS p99
             FROM refund_requests WHERE answer_status = 'sent'`,
          )
        ).rows,
    );
    row('notification to answer, p99', `${Number(answers.p99).toFixed(2)} s`, '60 s');

    log(`loading ${listed} refund requests and as many events`);
    await onDatabase(database.url, async (client) => {
      const place = { projectId, appId: app.id };
      await client.query('DELETE FROM refund_requests');
      await insertRequests(client, place, listed, previewed);
      await insertEvents(client, place, listed);
      await client.query('VACUUM ANALYZE');
    });
    const timed = async (runs, work) => {
      await work();
      const found = [];
      for (let run = 0; run < runs; run++) {
        const startedAt = performance.now();
        await work();
        found.push(performance.now() - startedAt);
      }
      return percentile(found, 0.5);
    };
    const {
      result: previewMs,
      beforeMb,
      mostMb,
    } = await withMemory(server.pid, rssMb, () =>
      timed(3, () => post('/refund_policies/actions/preview', {})),
    );
    row(`preview over ${previewed} requests`, `${(previewMs / 1_000).toFixed(2)} s`, '3 s');
    row('memory of previews', `${mostMb - beforeMb} MB`, '100 MB');

    const page = async (name) => {
      const plan = { url, kind: 'fixed', headers: backendHeaders, path: `${path}/${name}?limit=100` };
      const load = { ...plan, connections: 8, customers: 1 };
      await loadOnce({ ...load, seconds: 2 });
      const before = cpuMs(server.pid);
      const seconds = quick ? 2 : 5;
      const { perSecond, p50, failed } = await loadOnce({ ...load, seconds });
      if (failed > 0) throw new Error(`${failed} calls of ${name} failed`);
      return { p50, cpu: (cpuMs(server.pid) - before) / (perSecond * seconds) };
    };
    const [events, requests] = [await page('events'), await page('refund_requests')];
    log(`events ${events.p50} ms, refund requests ${requests.p50} ms a page`);
    row(`list of ${listed} requests : events (p50)`, (requests.p50 / events.p50).toFixed(2), '2');
    row('the same, CPU', (requests.cpu / events.cpu).toFixed(2), '2');
    const to = new Date().toISOString().slice(0, 10);
    const from = new Date(Date.now() - 90 * DAY_MS).toISOString().slice(0, 10);
    const statistics = `${path}/refund_requests/statistics?start_date=${from}&end_date=${to}`;
    const statisticsMs = await timed(10, () => call(url, 'GET', statistics, backendHeaders));
    row(`statistics over ${listed} requests`, `${Math.round(statisticsMs)} ms`, '300 ms');
    console.table(rows);
  } finally {
    server.kill('SIGTERM');
    await apple.api.close();
    await database.stop();
  }
}
