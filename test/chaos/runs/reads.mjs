import { randomUUID } from 'node:crypto';
import { call } from '../../../bench/world.mjs';
import { after, percentile, receiptOf, steadily, Tally } from '../load.mjs';
import { openShop, openStage, stock } from '../stage.mjs';

export const about =
  '100 of the heaviest reads of a large project at once, and receipts of another one beside them';
export const limitS = 600;
/** The short form compares no times. */
export const isLong = true;

const ROWS = 100_000;
const READERS = 100;
const PER_S = 50;
/** Alternates without and with reads, so that other work on the machine affects both. */
const TURNS = 4;
const SECONDS = 8;
/** Receipts may take so many times as long as alone; what takes less than this (ms) is normal on any machine. */
const TIMES = 2;
const NORMAL_P99_MS = 100;
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };
const MODEL = 'model';
const READS = [
  '/metrics/overview?environment=sandbox',
  '/metrics/history?metric=mrr&days=365&environment=sandbox',
  '/metrics/history?metric=active_users&days=365&environment=sandbox',
  '/customers?search=load-&limit=100',
  '/customers?search=load-99999&limit=100',
  '/events?limit=100',
  '/events?type=initial_purchase&limit=100',
  '/events?type=transfer,expiration&limit=100',
];

/** Copies of a customer with a subscription and its event. $1: project, $2: how many. */
const copies = [
  `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, last_seen_at, event_sequence, created_at)
   SELECT c.project_id, c.id || '_' || n, 'load-' || n, c.first_seen_at - n % 365 * interval '1 day', c.last_seen_at, 1,
     c.created_at
   FROM customers c, generate_series(1, $2::int) n WHERE c.project_id = $1 AND c.original_app_user_id = '${MODEL}'`,
  `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
   SELECT c.project_id, 'load-' || n, c.id || '_' || n, false, c.created_at
   FROM customers c, generate_series(1, $2::int) n WHERE c.project_id = $1 AND c.original_app_user_id = '${MODEL}'`,
  `INSERT INTO subscriptions (project_id, id, app_id, store, environment, store_key, customer_id, original_customer_id,
     original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms, emitted, started_at,
     access_ends_at, status, next_due_at, created_at, updated_at)
   SELECT s.project_id, s.id || '_' || n, s.app_id, s.store, s.environment, s.store_key || '_' || n,
     s.customer_id || '_' || n, s.customer_id || '_' || n, 'load-' || n, s.store_product_id,
     ARRAY[s.store_key || '_' || n], replace(s.facts::text, s.store_key, s.store_key || '_' || n)::json, s.facts_at_ms,
     replace(s.emitted::text, s.store_key, s.store_key || '_' || n)::json, s.started_at, s.access_ends_at, s.status,
     s.next_due_at, s.created_at, s.updated_at
   FROM subscriptions s, generate_series(1, $2::int) n WHERE s.project_id = $1 AND s.id NOT LIKE '%\\_%'`,
  `INSERT INTO events (project_id, created_at, id, occurred_at, type, dedupe_key, customer_id, app_id, environment,
     delivery, body)
   SELECT e.project_id, e.created_at - n * interval '1 ms', e.id || '_' || n, e.occurred_at, e.type,
     e.dedupe_key || '_' || n, e.customer_id || '_' || n, e.app_id, e.environment, 'suppressed', e.body
   FROM events e, generate_series(1, $2::int) n WHERE e.project_id = $1`,
];

/** Another account with its own project, as `openStage` gives the first one. */
async function openOther({ fleet }) {
  const { cookie } = await call(
    fleet.first,
    'POST',
    '/auth/signup',
    {},
    { email: 'other@example.com', password: randomUUID() },
  );
  const projects = await call(fleet.first, 'GET', '/v2/projects', { cookie });
  const path = `/v2/projects/${projects.json.items[0].id}`;
  const { key } = (await call(fleet.first, 'POST', `${path}/api_keys`, { cookie }, { name: 'chaos' })).json;
  const headers = { authorization: `Bearer ${key}` };
  const post = async (to, body) => (await call(fleet.first, 'POST', path + to, headers, body)).json;
  return { fleet, world: { path, key }, post };
}

async function fill({ sql, fleet, world }) {
  await call(fleet.first, 'POST', '/v1/receipts', world.sdkHeaders, receiptOf(MODEL, 'pro_monthly'));
  for (const text of copies) await sql.query(text, [world.projectId, ROWS]);
  await sql.query('ANALYZE');
}

/** Reads of the large project, always so many at once, until `isOver`. */
async function readAll({ fleet, world }, isOver, answers) {
  const times = [];
  let next = 0;
  const reader = async () => {
    while (!isOver()) {
      const startedAt = performance.now();
      const path = READS[next++ % READS.length];
      const answer = await fetch(fleet.first + world.path + path, { headers: world.backendHeaders });
      await answer.arrayBuffer();
      answers.add(answer.status);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return times;
}

export async function run({ cluster, log }) {
  const stage = await openStage(cluster, 'heavy_reads', {
    size: 1,
    environment: { SERVICE_ALLOW_SIGNUP: 'true' },
  });
  try {
    const other = await openOther(stage);
    const { appId, headers } = await openShop(other, 'Chaos');
    await stock(other, appId, PRODUCTS);
    log(`  making ${ROWS} customers`);
    await fill(stage);
    const receipts = new Tally();
    let bought = 0;
    const buy = async (seconds, times) => {
      await steadily(PER_S, after(seconds), async () => {
        const startedAt = performance.now();
        const body = JSON.stringify(receiptOf(`chaos-${bought++}`, PRODUCTS.coins));
        const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
        try {
          const answer = await fetch(`${stage.fleet.first}/v1/receipts`, init);
          await answer.arrayBuffer();
          receipts.add(answer.status);
        } catch (error) {
          receipts.add(String(error.cause ?? error));
        }
        times.push(performance.now() - startedAt);
      });
    };
    await buy(5, []);
    const reads = new Tally();
    const times = { alone: [], beside: [], read: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      await buy(SECONDS, times.alone);
      const reading = readAll(stage, after(SECONDS), reads);
      await buy(SECONDS, times.beside);
      times.read.push(...(await reading));
    }
    const [aloneMs, besideMs] = [times.alone, times.beside].map((list) => percentile(list, 0.99));
    const limitMs = Math.max(TIMES * aloneMs, NORMAL_P99_MS);
    return {
      problems: [
        ...(receipts.keys().some((status) => status !== 200) ? [`receipts: ${receipts}`] : []),
        ...(reads.keys().some((status) => status !== 200 && status !== 503) ? [`reads: ${reads}`] : []),
        ...(reads.of(200) === 0 ? ['no read was answered'] : []),
        ...(besideMs > limitMs ? [`p99 of receipts was ${besideMs.toFixed(0)} ms beside the reads`] : []),
      ],
      figures: {
        receipts: `${receipts} at ${PER_S}/s`,
        'p50 of receipts': `${percentile(times.alone, 0.5).toFixed(0)} ms alone, ${percentile(times.beside, 0.5).toFixed(0)} ms beside the reads`,
        'p99 of receipts': `${aloneMs.toFixed(0)} ms alone, ${besideMs.toFixed(0)} ms beside the reads (limit ${limitMs.toFixed(0)} ms)`,
        reads: `${READERS} at once for ${TURNS * SECONDS} s: ${reads}`,
        'time of reads': `p50 ${percentile(times.read, 0.5).toFixed(0)} ms, p99 ${percentile(times.read, 0.99).toFixed(0)} ms`,
      },
    };
  } finally {
    await stage.close();
  }
}
