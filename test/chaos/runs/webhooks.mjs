import { setTimeout as pause } from 'node:timers/promises';
import { boundMs, lateMs } from '../bounds.mjs';
import { receiptOf } from '../load.mjs';
import { startReceiver } from '../receiver.mjs';
import { openChaosWebhooks, openShop, openStage, stock } from '../stage.mjs';
import { checkChaos, checkQuiet } from '../webhook-checks.mjs';

export const about =
  'webhooks without faults and with kill -9: none lost, none in vain, in order where asked for';
export const limitS = 900;
/** Of this, the short form of `kills` tries what happens at a kill. */
export const isLong = true;

const plans = {
  short: { quietCustomers: 50, chaosMs: 5_000, leaseMs: 15_000, failFirst: 0 },
  full: { quietCustomers: 2_000, chaosMs: 180_000, leaseMs: 15_000, failFirst: 0.05 },
};
/** Number of endpoints for each quiet customer: 10,000 deliveries in the full run. */
const QUIET_ENDPOINTS = 5;
const BUYERS = 16;
const CHAOS_BUYERS = 8;
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };

/** Buys until the server says that it has it. */
async function buy(fleet, headers, appUserId, productId) {
  const { status, body } = await fleet.call('POST', '/v1/receipts', headers, receiptOf(appUserId, productId));
  if (status !== 200) throw new Error(`the purchase was refused: ${status} ${JSON.stringify(body)}`);
}

async function untilSent(sql, what, condition, withinMs) {
  const until = Date.now() + withinMs;
  for (;;) {
    const { rows } = await sql.query(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'pending' AND ${condition}`,
    );
    const [{ count }] = rows;
    if (count === 0) return;
    if (Date.now() > until) throw new Error(`${what}: ${count} deliveries are stuck`);
    await pause(250);
  }
}

/** The consumer of the quiet phase: some first attempts fail, which makes a second slot five minutes later. */
function quietConsumer(failFirst) {
  const attempted = new Set();
  const failedOnce = new Set();
  const handle = ({ path, event }) => {
    const key = `${path} ${event.id}`;
    const isFirst = !attempted.has(key);
    attempted.add(key);
    if (!isFirst || Math.random() >= failFirst) return Promise.resolve(200);
    failedOnce.add(key);
    return Promise.resolve(500);
  };
  return { failedOnce, handle };
}

/** The consumer of the chaos: reads the customer back before it says that it has understood. */
async function readBack({ fleet, world }, { event }, stale) {
  const customer = `${world.path}/customers/${encodeURIComponent(event.app_user_id)}`;
  const answers = await Promise.all(
    ['purchases', 'subscriptions'].map((list) =>
      fleet.call('GET', `${customer}/${list}?limit=100`, { authorization: `Bearer ${world.key}` }),
    ),
  );
  const stored = JSON.stringify(answers.map(({ body }) => body));
  const areRead = answers.every(({ status }) => status === 200);
  if (!areRead || !stored.includes(event.transaction_id)) stale.push(event);
  await pause(Math.random() * 150);
  return 200;
}

async function quietPhase({ fleet, world, sql }, customers, withinMs) {
  let next = 0;
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (next < customers) await buy(fleet, world.sdkHeaders, `quiet-${next++}`, 'pro_monthly');
    }),
  );
  await untilSent(sql, 'without faults', 'attempts = 0', withinMs);
}

/** Kills processes while customers buy; returns what they bought and which access they received. */
async function chaosPhase({ fleet }, headers, forMs) {
  const until = Date.now() + forMs;
  const bought = [];
  const shopping = Array.from({ length: CHAOS_BUYERS }, async (_, buyer) => {
    for (let count = 0; Date.now() < until; count++) {
      const customer = `chaos-${buyer}-${count}`;
      for (const product of [PRODUCTS.monthly, PRODUCTS.coins, PRODUCTS.coins]) {
        await buy(fleet, headers, customer, product);
        bought.push(customer);
      }
      await pause(100);
    }
  });
  const killing = (async () => {
    const restarts = [];
    while (Date.now() < until) {
      await pause(500 + Math.random() * 2500);
      restarts.push(fleet.killOne());
    }
    await Promise.all(restarts);
  })();
  await Promise.all([...shopping, killing]);
  return bought;
}

export async function run({ cluster, short, log }) {
  const plan = short ? plans.short : plans.full;
  const quiet = quietConsumer(plan.failFirst);
  /** Reads back that did not show what the event told of. */
  const stale = [];
  let stage;
  const receiver = await startReceiver((entry) =>
    entry.path.startsWith('/chaos') ? readBack(stage, entry, stale) : quiet.handle(entry),
  );
  stage = await openStage(cluster, 'webhooks', {
    environment: { SERVICE_WEBHOOK_LEASE_MS: String(plan.leaseMs) },
  });
  const { fleet, world, sql, post } = stage;
  const note = (text) => log(`  ${text}`);
  try {
    for (let index = 0; index < QUIET_ENDPOINTS; index++) {
      const url = `${receiver.url}/quiet/${index}`;
      await post('/integrations/webhooks', { name: `quiet ${index}`, url, app_id: world.appId });
    }
    const { appId, headers } = await openShop(stage, 'Chaos');
    await stock(stage, appId, PRODUCTS);
    const ids = await openChaosWebhooks(stage, receiver.url, appId);
    await quietPhase(stage, plan.quietCustomers, boundMs(short, 60_000));
    const bought = await chaosPhase(stage, headers, plan.chaosMs);
    // A dead process's deliveries are released when its lease ends, and then sent at once.
    const ofChaos = `webhook_integration_id = ANY ('{${ids.join(',')}}')`;
    await untilSent(sql, 'after the faults', ofChaos, plan.leaseMs + boundMs(short, 30_000));
    const problems = await checkChaos({
      sql,
      receiver,
      bought,
      stale,
      kills: fleet.kills,
      lagMs: lateMs(short),
      log: note,
    });
    await untilSent(sql, 'the second slot', 'true', 330_000);
    const { failedOnce } = quiet;
    const wanted = { customers: plan.quietCustomers, endpoints: QUIET_ENDPOINTS, failedOnce };
    problems.push(...checkQuiet({ receiver, ...wanted, log: note }));
    return {
      problems,
      figures: {
        'deliveries without faults': plan.quietCustomers * QUIET_ENDPOINTS,
        'purchases with faults': bought.length,
        'processes killed': fleet.kills.length,
        'webhook requests': receiver.requests.length,
      },
    };
  } finally {
    await stage.close();
    receiver.close();
  }
}
