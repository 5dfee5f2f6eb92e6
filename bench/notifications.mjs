import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { countingSettings, costMeter } from './cost.mjs';
import { startDatabase } from './database.mjs';
import { notifyingApps, startFakes } from './notifying-apps.mjs';
import { percentile } from './percentile.mjs';
import { senderOver } from './sender.mjs';
import { serverArgsIn, startStoreServer } from './server.mjs';
import { steadily } from './steady.mjs';
import { buildWorld, call } from './world.mjs';

const PORTS = [18_802, 18_803];
const SENDERS = 16;
/** Receipts a second, whatever the server does. */
const RECEIPTS = 50;
const RESENT_AFTER_MS = 1_000;

/** One build of the server with a database, stores and apps of its own. */
export async function startSide(tools, { name, folder, port }) {
  const { nodeOn, until, cpuMs, onDatabase } = tools;
  const database = await startDatabase(countingSettings);
  const fakes = await startFakes(database.folder);
  const url = `http://127.0.0.1:${port}`;
  const { apple, env } = fakes;
  const server = startStoreServer(nodeOn, { database, apple, port, env, args: serverArgsIn(folder) });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('close', resolve));
    }
    await fakes.close();
    await database.stop();
  };
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    const query = (text, values) =>
      onDatabase(database.url, async (client) => (await client.query(text, values)).rows);
    const place = { databaseUrl: database.url, databasePid: database.pid, serverPid: server.pid };
    const meter = costMeter({ onDatabase, cpuMs, ...place });
    await meter.countStatements();
    const world = await buildWorld(url, 10, null);
    const apps = await notifyingApps(url, world, fakes, query);
    return { name, url, world, apps, meter, query, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does work for each item, some at a time. */
async function forEachOf(items, work) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]);
  };
  await Promise.all(Array.from({ length: SENDERS }, worker));
}

/** Buys subscriptions of an app; returns the notifications of their renewals. */
export async function renewals({ url }, app, count) {
  const subscriptions = Array.from({ length: count }, () => app.subscribe());
  await forEachOf(subscriptions, (one) => call(url, 'POST', '/v1/receipts', app.headers, app.receipt(one)));
  return subscriptions.map((subscription) => app.renewal(subscription));
}

/** As many connections as a store may open. */
const sender = senderOver(256);

/** Sends a notification as its store does: again while the server is busy or does not answer. Returns how often. */
export async function notify({ url }, app, { body, headers }) {
  for (let sent = 1; ; sent++) {
    const answer = await sender
      .send(`${url}/v1/notifications/${app.store}/${app.id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers?.() },
        body,
      })
      .catch(() => null);
    if (answer?.status === 200) return sent;
    if (answer !== null && answer.status !== 503)
      throw new Error(`a notification was answered with ${answer.status} ${answer.text}`);
    await pause(RESENT_AFTER_MS);
  }
}

export async function renewalsOf({ query }, app) {
  const text = `SELECT count(*)::int AS bench FROM events WHERE type = 'RENEWAL' AND app_id = $1`;
  return (await query(text, [app.id]))[0].bench;
}

/** Waits until every notification and every refresh that one requested is processed. */
export async function drained({ query }) {
  const isBusy = async () => {
    const [row] = await query(
      `SELECT EXISTS (SELECT FROM store_notifications WHERE state IN ('received', 'retrying'))
         OR EXISTS (SELECT FROM store_refreshes) AS bench`,
    );
    return row.bench;
  };
  while (await isBusy()) await pause(50);
}

/** Sends notifications and waits until all are processed. @throws Error if a renewal is missing */
async function deliver(side, app, notifications) {
  const before = await renewalsOf(side, app);
  await forEachOf(notifications, (one) => notify(side, app, one));
  await drained(side);
  const renewed = (await renewalsOf(side, app)) - before;
  if (renewed !== notifications.length)
    throw new Error(`${app.name}: ${notifications.length} notifications, but ${renewed} renewals`);
  return notifications.length;
}

/** Posts the receipt of a new customer. */
export const buy = ({ url, world }) =>
  call(url, 'POST', '/v1/receipts', world.sdkHeaders, {
    app_user_id: `latency-${randomUUID()}`,
    fetch_token: `test_${Date.now()}_${randomUUID()}`,
    product_id: 'pro_monthly',
    currency: 'USD',
  });

const rounded = (value, digits = 1) => (value === null ? null : Number(value.toFixed(digits)));
const milliseconds = (micros) => (micros === null ? null : micros / 1_000);

const appOf = (side, name) => side.apps.find((one) => one.name === name);

/** Notifications of an app, to be measured. */
const notificationsOf = (name) => ({
  name,
  calls: (side) => appOf(side, name).callsSoFar(),
  arrange: async (side, count) => {
    const app = appOf(side, name);
    const notifications = await renewals(side, app, count);
    return () => deliver(side, app, notifications);
  },
});

/** First receipts of new customers, likewise. */
const receipts = [
  {
    name: 'receipt, Test Store',
    calls: () => 0,
    arrange: (side, count) => async () => {
      await forEachOf(Array.from({ length: count }), () => buy(side));
      return count;
    },
  },
  {
    name: 'receipt, App Store',
    calls: () => 0,
    arrange: (side, count) => {
      const [app] = side.apps;
      const bodies = Array.from({ length: count }, () => app.receipt(app.subscribe()));
      return async () => {
        await forEachOf(bodies, (body) => call(side.url, 'POST', '/v1/receipts', app.headers, body));
        return count;
      };
    },
  },
];

/** Costs in blocks, sides in turn: the runs of each side. */
async function runsOf(sides, { arrange, calls }, { blocks, ofBlock }) {
  const runs = sides.map(() => []);
  // The first block warms up.
  for (let block = -1; block < blocks; block++) {
    const order = block % 2 === 0 ? [...sides.keys()] : [...sides.keys()].reverse();
    for (const index of order) {
      const side = sides[index];
      const work = await arrange(side, ofBlock);
      const callsBefore = calls(side);
      const cost = await side.meter.measureNow(work);
      if (block >= 0) runs[index].push({ ...cost, calls: (calls(side) - callsBefore) / ofBlock });
    }
  }
  return runs;
}

const middleOf = (runs, key) => {
  const values = runs.map((run) => run[key]);
  return values.includes(null) ? null : percentile(values, 0.5);
};

const costsOf = (runs) => ({
  'per s': rounded(1 / middleOf(runs, 'seconds'), 0),
  'server ms': rounded(milliseconds(middleOf(runs, 'serverMicros')), 2),
  'database ms': rounded(milliseconds(middleOf(runs, 'databaseMicros')), 2),
  statements: rounded(middleOf(runs, 'statements')),
  'log B': rounded(middleOf(runs, 'walBytes'), 0),
  'store calls': rounded(middleOf(runs, 'calls')),
});

/** A row of the table: costs by `runs`, inserted rows, and receipts beside notifications. */
async function rowOf(side, name, runs, { ofBlock, quietMs }) {
  const app = appOf(side, name);
  const counted = await renewals(side, app, ofBlock);
  const { insertedRows } = await side.meter.measure(() => deliver(side, app, counted));
  const beside = await renewals(side, app, ofBlock);
  const alone = await steadily(
    RECEIPTS,
    (elapsedMs) => elapsedMs < quietMs,
    () => buy(side),
  );
  let isDelivering = true;
  const [besideIt] = await Promise.all([
    steadily(
      RECEIPTS,
      (elapsedMs) => isDelivering && elapsedMs < quietMs,
      () => buy(side),
    ),
    deliver(side, app, beside).finally(() => (isDelivering = false)),
  ]);
  return {
    notification: name,
    build: side.name,
    ...costsOf(runs),
    rows: rounded(insertedRows),
    'receipt p50 ms': rounded(percentile(alone.times, 0.5)),
    'p50 beside': rounded(percentile(besideIt.times, 0.5)),
    'p99 ms': rounded(percentile(alone.times, 0.99)),
    'p99 beside': rounded(percentile(besideIt.times, 0.99)),
    failed: alone.failed + besideIt.failed,
  };
}

const FIGURES = ['serverMicros', 'databaseMicros', 'statements', 'walBytes', 'seconds'];

/** Figures of the second side in units of the first, block by block. */
function ratiosOf(name, [first, second]) {
  return FIGURES.map((figure) => {
    const ratios = second.map((run, block) => run[figure] / first[block][figure]);
    const part = (share) => percentile(ratios, share).toFixed(3);
    return {
      'this build / the other': name,
      figure,
      median: part(0.5),
      'lower quartile': part(0.25),
      'upper quartile': part(0.75),
    };
  });
}

/**
 * Costs of the notification of a renewal, by store; prints tables. `other`: folder of another build, which is measured
 * in turn with this one.
 */
export async function benchNotifications(tools, { folder, other, blocks, ofBlock }) {
  const { log, quick } = tools;
  const places = [...(other === null ? [] : [{ name: 'other', folder: other }]), { name: 'this', folder }];
  const plan = { blocks, ofBlock, quietMs: quick ? 4_000 : 20_000 };
  const sides = [];
  try {
    for (const [index, place] of places.entries())
      sides.push(await startSide(tools, { ...place, port: PORTS[index] }));
    const rows = [];
    const ratios = [];
    const bought = [];
    for (const kind of receipts) {
      const runs = await runsOf(sides, kind, plan);
      for (const [index, side] of sides.entries())
        bought.push({ receipt: kind.name, build: side.name, ...costsOf(runs[index]) });
      if (sides.length > 1) ratios.push(...ratiosOf(kind.name, runs));
    }
    console.table(bought);
    for (const { name } of sides[0].apps) {
      for (const side of sides) await appOf(side, name).prepare?.();
      const runs = await runsOf(sides, notificationsOf(name), plan);
      for (const [index, side] of sides.entries()) {
        rows.push(await rowOf(side, name, runs[index], plan));
        log(`${name}, ${side.name} build: ${rows.at(-1)['per s']}/s`);
      }
      if (sides.length > 1) {
        ratios.push(...ratiosOf(name, runs));
        for (const { figure, median } of ratios.slice(-FIGURES.length))
          log(`  ${figure}: ${median} of the other`);
      }
    }
    console.table(rows);
    if (ratios.length > 0) console.table(ratios);
  } finally {
    for (const side of sides) await side.stop();
  }
}
