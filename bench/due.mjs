import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startDatabase } from './database.mjs';
import { watchHost } from './host.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_791;
/** Receipts a second, whatever the server does. */
const RATE = 50;
const WARM_UP_SECONDS = 45;
/** Receipts without due work, before each part of it and after the last one: 90 seconds at most each time. */
const quietSeconds = (rowsOfPart) => Math.min(Math.max(Math.ceil(rowsOfPart / 2_000), 30), 90);
/** Between what is due and the receipts after it. */
const SETTLE_MS = 5_000;
/** Before the end (ms). */
const quietMs = (rowsOfPart) => (WARM_UP_SECONDS + quietSeconds(rowsOfPart) + 1) * 1_000;
/** The ends of a part lie within this time (ms). */
const PART_MS = 100;
/** From the ends of one part to those of the next one, at 700 a second or more (ms). */
const partEveryMs = (rowsOfPart) => rowsOfPart / 0.7 + SETTLE_MS + (quietSeconds(rowsOfPart) + 1) * 1_000;
const CUSTOMERS = 100;
const MODEL = 'customer-1';

const tenths = (value) => Number(value.toFixed(1));

/** After a receipt was sent: the same for slow and for fast ones, lest slow ones be left out more often. */
const SET_ASIDE_MS = 150;

/** Latencies (ms) of the receipts about which the host left the machine alone, and the share (%) of the others. */
const undisturbed = (receipts, host) => {
  const calm = receipts.filter(({ sentAt }) => !host.disturbed(sentAt, sentAt + SET_ASIDE_MS));
  return {
    latencies: calm.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
    excluded: Math.round(100 * (1 - calm.length / receipts.length)),
  };
};

/**
 * As a server's own database is set up (docs/self-hosting.md), and as it is after it has run for a while: files of its
 * log are used again instead of made.
 */
const settings = [
  `shared_buffers=${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`,
  'max_wal_size=16GB',
  'min_wal_size=8GB',
  'checkpoint_timeout=30min',
];

/** How long making, tidying up and the measurement before the end may take together (ms). */
const aheadMs = (rows, rowsOfPart) => 40_000 + Math.ceil(rows / 5) + quietMs(rowsOfPart);

/**
 * Copies of a customer with one subscription; those of a part end within a tenth of a second.
 * $1: project, $2: the customer to be copied, $3: how many copies; $4: the first end (epoch ms), $5: how many parts,
 * $6: the time from one to the next (ms).
 */
const copies = [
  `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, event_sequence, created_at)
   SELECT c.project_id, c.id || '_' || n, 'due-' || n, c.first_seen_at, 1, c.created_at
   FROM customers c, generate_series(1, $3::int) n WHERE c.project_id = $1 AND c.original_app_user_id = $2`,
  `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
   SELECT c.project_id, 'due-' || n, c.id || '_' || n, false, c.created_at
   FROM customers c, generate_series(1, $3::int) n WHERE c.project_id = $1 AND c.original_app_user_id = $2`,
  `INSERT INTO subscriptions (project_id, id, app_id, store, environment, store_key, customer_id, original_customer_id,
     original_customer_app_user_id, store_product_id, store_identifiers, facts, facts_at_ms, emitted, started_at,
     access_ends_at, status, next_due_at, created_at, updated_at)
   SELECT s.project_id, s.id || '_' || n, s.app_id, s.store, s.environment, s.store_key || '_' || n,
     s.customer_id || '_' || n, s.customer_id || '_' || n, 'due-' || n, s.store_product_id,
     ARRAY[s.store_key || '_' || n], replace(replace(s.facts::text, s.store_key, s.store_key || '_' || n),
       floor(extract(epoch FROM s.access_ends_at) * 1000)::text, ends_at_ms::text)::json,
     s.facts_at_ms, replace(s.emitted::text, s.store_key, s.store_key || '_' || n)::json, s.started_at,
     to_timestamp(ends_at_ms / 1000.0), s.status, to_timestamp(ends_at_ms / 1000.0), s.created_at, s.updated_at
   FROM customers c JOIN subscriptions s ON s.project_id = c.project_id AND s.customer_id = c.id,
     generate_series(1, $3::int) n, LATERAL (SELECT $4::bigint + n % $5::int * $6::bigint + n % ${PART_MS} AS ends_at_ms) ends
   WHERE c.project_id = $1 AND c.original_app_user_id = $2`,
];

/** Stores tell of a cancellation when it is made: what is left to be told then is the end. */
async function cancelModel(url, { path, backendHeaders }) {
  const owned = await call(url, 'GET', `${path}/customers/${MODEL}/subscriptions`, backendHeaders);
  const body = { scenario: 'cancel', subscription_id: owned.json.items[0].id };
  await call(url, 'POST', `${path}/test_purchases`, backendHeaders, body);
}

/**
 * Measures how fast simultaneous expirations are emitted, and how much that slows receipts; prints a table. `apart`: one
 * process answers requests and another one does what is due. `uncancelled`: each end tells of its cancellation, too.
 * `parts`: they come in so many parts with receipts alone in between, against which a machine's moods count less.
 */
export async function benchDue({ nodeOn, until, cpuMs, log, rows, parts, apart, uncancelled }) {
  const rowsOfPart = Math.ceil(rows / parts);
  const everyMs = Math.ceil(partEveryMs(rowsOfPart));
  const database = await startDatabase(settings);
  const host = watchHost();
  const url = `http://127.0.0.1:${PORT}`;
  // The processes are not pinned to cores: the database uses all of them, and a pinned process would wait for it.
  const start = (role, port) =>
    startServer(nodeOn, {
      database,
      port,
      env: {
        SERVICE_ROLE: role,
      },
    });
  const server = start(apart ? 'api' : 'all', PORT);
  let worker = server;
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    if (apart) worker = start('worker', PORT + 1);
    const world = await buildWorld(url, CUSTOMERS, null);
    if (!uncancelled) await cancelModel(url, world);

    /** When receipts at a fixed rate were sent and answered, for as long as `goesOn` says. */
    const buy = async (goesOn) => {
      const receipts = [];
      const running = [];
      const from = performance.now();
      for (let count = 0; goesOn(performance.now() - from); count++) {
        const waitMs = from + (count * 1000) / RATE - performance.now();
        if (waitMs > 0) await pause(waitMs);
        const sentAt = performance.now();
        const body = {
          app_user_id: `latency-${randomUUID()}`,
          fetch_token: `test_${Date.now()}_${randomUUID()}`,
          product_id: 'pro_monthly',
          currency: 'USD',
        };
        const answered = call(url, 'POST', '/v1/receipts', world.sdkHeaders, body);
        running.push(answered.then(() => receipts.push({ sentAt, answeredAt: performance.now() })));
      }
      await Promise.all(running);
      return receipts;
    };
    const buyFor = (seconds) => buy((elapsedMs) => elapsedMs < seconds * 1_000);

    /** Rows that end at `endsAtMs`, and nothing left for the database to tidy up. */
    const load = async (endsAtMs) => {
      for (const [index, copy] of copies.entries()) {
        const values = [world.projectId, MODEL, rows, endsAtMs, parts, everyMs];
        await client.query(copy, index < 2 ? values.slice(0, 3) : values);
      }
      await client.query('VACUUM ANALYZE');
      await client.query('CHECKPOINT');
    };
    /** Fills log files, for the checkpoint to make them ready to be used again. */
    const writeLog = async () => {
      await client.query(
        `CREATE TABLE filler AS SELECT repeat(md5(n::text), 30) AS text FROM generate_series(1, 6000000) n`,
      );
      await client.query('DROP TABLE filler');
      await client.query('CHECKPOINT');
    };
    /** Bytes and full-page images in the write-ahead log so far. */
    const walWritten = async () => {
      const {
        rows: [wal],
      } = await client.query('SELECT wal_bytes, wal_fpi FROM pg_stat_wal');
      return { bytes: Number(wal.wal_bytes), pages: Number(wal.wal_fpi) };
    };
    /** Everything up to this time (in the form of the database) has been emitted. */
    let emittedUntil = '-infinity';
    /** Starts in the index where the last poll ended, so that emitted entries are not read again. */
    const isDone = async () => {
      const {
        rows: [first],
      } = await client.query(
        `SELECT next_due_at::text AS due_at FROM subscriptions
         WHERE project_id = $1 AND next_due_at >= $2 AND next_due_at < now() ORDER BY next_due_at LIMIT 1`,
        [world.projectId, emittedUntil],
      );
      emittedUntil = first?.due_at ?? emittedUntil;
      return first === undefined;
    };

    await writeLog();
    const endsAtMs = Date.now() + aheadMs(rows, rowsOfPart);
    await load(endsAtMs);
    // The system writes what was loaded to its disk for a while.
    const calmMs = endsAtMs - Date.now() - quietMs(rowsOfPart);
    if (calmMs < 0) throw new Error('Making the subscriptions took too long');
    log(`${rows} subscriptions end from ${Math.round((endsAtMs - Date.now()) / 1000)} s on`);
    await pause(calmMs);
    await buyFor(WARM_UP_SECONDS);
    const alone = [await buyFor(quietSeconds(rowsOfPart))];
    const beside = [];
    const used = { seconds: 0, cpuMs: 0, walBytes: 0, walPages: 0 };
    for (let part = 0; part < parts; part++) {
      const partAtMs = endsAtMs + part * everyMs;
      if (Date.now() > partAtMs) throw new Error('A part was due before the one ahead of it was done');
      await pause(partAtMs - Date.now());
      const walBefore = await walWritten();
      const cpuBefore = cpuMs(worker.pid);
      const startedAt = performance.now();
      let draining = true;
      const receipts = buy(() => draining);
      await pause(PART_MS);
      while (!(await isDone())) await pause(200);
      used.seconds += (performance.now() - startedAt) / 1000;
      used.cpuMs += cpuMs(worker.pid) - cpuBefore;
      const wal = await walWritten();
      used.walBytes += wal.bytes - walBefore.bytes;
      used.walPages += wal.pages - walBefore.pages;
      draining = false;
      beside.push(await receipts);
      await pause(SETTLE_MS);
      // The machine may become faster or slower meanwhile.
      alone.push(await buyFor(quietSeconds(rowsOfPart)));
    }
    const p99Of = (receipts) => tenths(percentile(undisturbed(receipts, host).latencies, 0.99));
    if (parts > 1) log(`p99 without due work: ${alone.map(p99Of)}; beside it: ${beside.map(p99Of)}`);
    const [idle, during] = [alone, beside].map((receipts) => undisturbed(receipts.flat(), host));
    const [p99Idle, p99During] = [idle, during].map(({ latencies }) => percentile(latencies, 0.99));
    const recorded = await client.query(
      "SELECT count(*), count(DISTINCT subscription_id) AS subscriptions FROM events WHERE type = 'EXPIRATION'",
    );
    const events = await client.query(
      "SELECT count(*) FROM events WHERE body ->> 'app_user_id' LIKE 'due-%'",
    );
    console.table([
      {
        due: rows,
        'told, each once':
          Number(recorded.rows[0].subscriptions) === rows && Number(recorded.rows[0].count) === rows,
        'events each': Number(events.rows[0].count) / rows,
        'a second': Math.round(rows / used.seconds),
        'server CPU ms each': cpuMs(worker.pid) === null ? null : Number((used.cpuMs / rows).toFixed(3)),
        'log KB each': Number((used.walBytes / 1024 / rows).toFixed(1)),
        'log pages each': Number((used.walPages / rows).toFixed(2)),
        'receipt p50 ms, idle': tenths(percentile(idle.latencies, 0.5)),
        'p50, draining': tenths(percentile(during.latencies, 0.5)),
        'p99, idle': tenths(p99Idle),
        '(first, last)': [alone[0], alone.at(-1)].map(p99Of).join(', '),
        'p99, draining': tenths(p99During),
        'p99 more': `${Math.round(100 * (p99During / p99Idle - 1))}%`,
        'excluded %': `${idle.excluded}, ${during.excluded}`,
      },
    ]);
  } finally {
    host.stop();
    for (const process_ of new Set([server, worker])) {
      process_.kill('SIGTERM');
      await once(process_, 'close');
    }
    await client.end().catch(() => undefined);
    await database.stop();
  }
}
