import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { boundMs } from '../bounds.mjs';
import { after, percentile, receiptOf, steadily, Tally } from '../load.mjs';
import { openShop, openStage, stock } from '../stage.mjs';

export const about = 'receipts at 3 times what one process can save, and reads and probes beside them';
export const limitS = 600;

const TIMES = 3;
/** The generator shares the machine: at least so many times the capacity must really have been sent. */
const MIN_TIMES = 2.5;
/** The short form only asks whether it was an overload; where the machine became faster meanwhile it was none. */
const ATTEMPTS = { short: 3, full: 1 };
const CAPACITY_CLIENTS = 64;
/** More than the server works on at a time, as of several load balancers; further requests wait for one. */
const CONNECTIONS = 1_500;
const READS_PER_S = 20;
const RECOVERY_MS = 10_000;
/** Shares of resident memory: growth from the second to the last quarter of the overload, and total growth. */
const GROWTH_LIMIT_MB = 128;
const MEMORY_LIMIT_MB = 640;
/** Latencies (ms) below this are normal on any machine; in the short form also on one that others use. */
const NORMAL_P99_MS = { short: 1_000, full: 100 };
/** Share of the capacity at which receipts count as no load. */
const NORMAL_SHARE = { short: 0.1, full: 0.3 };
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };

/** Resident memory of a process in MB. */
function residentMb(pid) {
  if (existsSync(`/proc/${pid}/status`)) {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

class Customers {
  #pool;
  #headers;
  #count = 0;

  constructor(url, headers) {
    this.#pool = new Pool(url, {
      connections: CONNECTIONS,
      headersTimeout: 60_000,
      connect: { timeout: 60_000 },
    });
    this.#headers = { 'content-type': 'application/json', ...headers };
  }

  /** Receipts that were answered with 200 since the beginning. */
  acknowledged = 0;

  async #ask(options) {
    const startedAt = performance.now();
    const { statusCode, headers, body } = await this.#pool.request(options);
    await body.dump();
    return { status: statusCode, retryAfter: headers['retry-after'], ms: performance.now() - startedAt };
  }

  async buy() {
    const body = JSON.stringify(receiptOf(`chaos-${this.#count++}`, PRODUCTS.coins));
    const answer = await this.#ask({ method: 'POST', path: '/v1/receipts', headers: this.#headers, body });
    if (answer.status === 200) this.acknowledged++;
    return answer;
  }

  read(path) {
    return this.#ask({ method: 'GET', path, headers: this.#headers });
  }

  close() {
    return this.#pool.destroy();
  }
}

/** Receipts a second that clients get answered who each wait for their answer. */
async function capacityOf(customers, seconds) {
  let saved = 0;
  const isOver = after(seconds);
  await Promise.all(
    Array.from({ length: CAPACITY_CLIENTS }, async () => {
      while (!isOver()) if ((await customers.buy()).status === 200) saved++;
    }),
  );
  return saved / seconds;
}

/** 99th percentile (ms) of receipts at a rate. */
async function p99At(customers, perSecond, seconds) {
  const times = [];
  await steadily(perSecond, after(seconds), async () => times.push((await customers.buy()).ms));
  return percentile(times, 0.99);
}

async function overload(customers, pid, perSecond, seconds) {
  const receipts = new Tally();
  const reads = new Tally();
  const faults = new Tally();
  const latencies = { accepted: [], refused: [], read: [], probe: [] };
  const memory = [];
  const isOver = after(seconds);
  const note = (tally, kind) => async (work) => {
    try {
      const { status, retryAfter, ms } = await work();
      tally.add(status);
      latencies[kind === 'receipt' ? (status === 200 ? 'accepted' : 'refused') : kind].push(ms);
      if (status === 503 && !(Number(retryAfter) >= 1)) faults.add('503 without Retry-After');
    } catch (error) {
      faults.add(`${kind}: ${error.code ?? error.message}`);
    }
  };
  const buying = note(receipts, 'receipt');
  const reading = note(reads, 'read');
  const probing = note(reads, 'probe');
  const [{ rate }] = await Promise.all([
    steadily(perSecond, isOver, () => buying(() => customers.buy())),
    steadily(READS_PER_S, isOver, () => reading(() => customers.read('/v1/subscribers/chaos-1'))),
    steadily(1, isOver, () => {
      memory.push(residentMb(pid));
      return probing(() => customers.read('/readyz'));
    }),
  ]);
  return { receipts, reads, faults, latencies, memory, perSecond: rate };
}

/** Seconds after which a whole second's receipts were as fast as normal again; null: not in time. */
async function recovery(customers, perSecond, normalMs, withinMs) {
  const startedAt = performance.now();
  for (let second = 1; performance.now() - startedAt < withinMs; second++) {
    if ((await p99At(customers, perSecond, 1)) <= normalMs) return second;
  }
  return null;
}

/** Measures the capacity and sends more than that, until it was an overload, or often enough. */
async function overloadIn(customers, pid, form, seconds, log) {
  for (let attempt = 1; ; attempt++) {
    const capacity = await capacityOf(customers, form === 'short' ? 3 : 10);
    const normalRate = capacity * NORMAL_SHARE[form];
    const p99 = await p99At(customers, normalRate, form === 'short' ? 3 : 10);
    log(`  ${capacity.toFixed(0)} receipts/s can be saved`);
    const result = await overload(customers, pid, capacity * TIMES, seconds);
    const isCalm = result.faults.keys().length === 0 && result.receipts.keys().join() === '200';
    if (!isCalm || attempt === ATTEMPTS[form]) {
      return { capacity, normalRate, p99, normalMs: Math.max(2 * p99, NORMAL_P99_MS[form]), ...result };
    }
  }
}

export async function run({ cluster, short, log }) {
  const seconds = short ? 8 : 120;
  const form = short ? 'short' : 'full';
  const recoveryMs = boundMs(short, RECOVERY_MS);
  const stage = await openStage(cluster, 'overload', { size: 1 });
  const { fleet, sql } = stage;
  const { appId, headers } = await openShop(stage, 'Chaos');
  const customers = new Customers(fleet.first, headers);
  try {
    await stock(stage, appId, PRODUCTS);
    const { pid } = fleet.members[0].process;
    await capacityOf(customers, 3);
    const { capacity, normalRate, p99, normalMs, ...result } = await overloadIn(
      customers,
      pid,
      form,
      seconds,
      log,
    );
    const recoveredS = await recovery(customers, normalRate, normalMs, recoveryMs);
    const { receipts, reads, faults, latencies, memory } = result;
    const quarter = Math.floor(memory.length / 4);
    const growth = mean(memory.slice(-quarter)) - mean(memory.slice(quarter, 2 * quarter));
    const peak = Math.max(...memory);
    const { rows } = await sql.query('SELECT count(*)::int AS count FROM one_time_purchases');
    const other = receipts.keys().filter((status) => status !== 200 && status !== 503);
    const times = result.perSecond / capacity;
    const ms = (list, share) => `${percentile(list, share).toFixed(0)} ms`;
    const both = (list) => `p50 ${ms(list, 0.5)}, p99 ${ms(list, 0.99)}`;
    return {
      problems: [
        ...(!short && times < MIN_TIMES ? [`only ${times.toFixed(1)} times the capacity could be sent`] : []),
        ...(other.length > 0 ? [`receipts were answered otherwise: ${receipts}`] : []),
        ...(receipts.of(503) === 0 ? ['nothing was refused: this was no overload'] : []),
        ...(faults.keys().length > 0 ? [`faults: ${faults}`] : []),
        ...(reads.keys().some((status) => status !== 200) ? [`reads and probes: ${reads}`] : []),
        // A few seconds do not tell growth from warming up.
        ...(!short && growth > GROWTH_LIMIT_MB ? [`memory grew by ${growth.toFixed(0)} MB`] : []),
        ...(peak > MEMORY_LIMIT_MB ? [`memory reached ${peak.toFixed(0)} MB`] : []),
        ...(recoveredS === null
          ? [`p99 was not below ${normalMs.toFixed(0)} ms within ${recoveryMs / 1000} s`]
          : []),
        ...(rows[0].count < customers.acknowledged
          ? [`${customers.acknowledged} receipts were acknowledged, ${rows[0].count} are saved`]
          : []),
      ],
      figures: {
        capacity: `${capacity.toFixed(0)} receipts/s, p99 ${p99.toFixed(0)} ms at ${100 * NORMAL_SHARE[form]} % of it`,
        overload: `${result.perSecond.toFixed(0)} receipts/s (${times.toFixed(1)} times) for ${seconds} s`,
        answers: `${receipts}`,
        'saved in overload': `${(receipts.of(200) / seconds).toFixed(0)} receipts/s`,
        'accepted receipts': both(latencies.accepted),
        'refused receipts': both(latencies.refused),
        'reads beside them': both(latencies.read),
        '/readyz beside them': both(latencies.probe),
        memory: `peak ${peak.toFixed(0)} MB (limit ${MEMORY_LIMIT_MB}), last quarter ${growth.toFixed(0)} MB above the second (limit ${GROWTH_LIMIT_MB})`,
        recovery: `second ${recoveredS} was normal again (p99 below ${normalMs.toFixed(0)} ms; limit ${recoveryMs / 1000} s)`,
      },
    };
  } finally {
    await customers.close();
    await stage.close();
  }
}
