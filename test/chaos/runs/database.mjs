import { setTimeout as pause } from 'node:timers/promises';
import { startFreezingProxy } from '../../support/freezing-proxy.mjs';
import { boundMs } from '../bounds.mjs';
import { isReady } from '../fleet.mjs';
import { percentile, receiptOf, steadily, Tally } from '../load.mjs';
import { checkEvents, few, readBackAll, untilSettled } from '../receipt-checks.mjs';
import { openShop, openStage, stock } from '../stage.mjs';

export const about =
  'PostgreSQL stopped in immediate mode, as by a crash, and its connections fallen silent, under receipts at 100/s';
export const limitS = 900;

const RECEIPTS_PER_S = 100;
const READY_WITHIN_MS = 5_000;
/** The servers' time limit for an answer of PostgreSQL. */
const PATIENCE_MS = 3_000;
/** Draining (0 s), the grace for requests (10 s) and the margin (10 s) are the bound of a process. */
const EXIT_WITHIN_MS = 25_000;
/** All of them wait while it is away. */
const MAX_WAITING_FOR_DATABASE = 500;
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };

/** Returns the time (ms) until every process is ready and has saved a receipt. */
async function untilServing(fleet, headers, round) {
  const startedAt = performance.now();
  await Promise.all(
    fleet.members.map(async (member, index) => {
      while (!(await isReady(member))) await pause(20);
      for (let attempt = 0; ; attempt++) {
        const body = receiptOf(`probe-${round}-${index}-${attempt}`, PRODUCTS.coins);
        const answer = await fetch(`${member.url}/v1/receipts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        await answer.arrayBuffer();
        if (answer.ok) return;
        await pause(20);
      }
    }),
  );
  return performance.now() - startedAt;
}

export async function run({ cluster, short, log }) {
  const stops = short ? 1 : 20;
  const silences = short ? 1 : 10;
  const limits = {
    back: boundMs(short, READY_WITHIN_MS),
    silent: boundMs(short, PATIENCE_MS + READY_WITHIN_MS),
    exit: boundMs(short, EXIT_WITHIN_MS),
  };
  const proxy = await startFreezingProxy(cluster.port);
  const stage = await openStage(cluster, 'database', {
    port: proxy.port,
    environment: { SERVICE_DATABASE_TIMEOUT_MS: String(PATIENCE_MS) },
  });
  const { fleet, sql } = stage;
  try {
    const { appId, headers } = await openShop(stage, 'Chaos');
    await stock(stage, appId, PRODUCTS);
    const answers = new Tally();
    const withoutRetryAfter = new Tally();
    const acknowledged = [];
    const unanswered = [];
    const note = (status, answered) => {
      answers.add(status);
      if (status === 503 && answered.get('retry-after') === null) withoutRetryAfter.add(status);
    };
    const buy = async (number) => {
      const customer = `chaos-${number}`;
      const productId = number % 2 === 0 ? PRODUCTS.monthly : PRODUCTS.coins;
      try {
        const { status } = await fleet.call(
          'POST',
          '/v1/receipts',
          headers,
          receiptOf(customer, productId),
          note,
        );
        if (status === 200) acknowledged.push({ customer, productId });
      } catch (error) {
        unanswered.push(error.message);
      }
    };
    let isOver = false;
    const selling = steadily(RECEIPTS_PER_S, () => isOver, buy, MAX_WAITING_FOR_DATABASE);
    const readyMs = [];
    for (let round = 0; round < stops; round++) {
      await pause(1_000 + Math.random() * 2_000);
      await cluster.crash();
      await pause(500 + Math.random() * 2_000);
      await cluster.recover();
      readyMs.push(await untilServing(fleet, headers, round));
      if ((round + 1) % 5 === 0) log(`  ${round + 1} stops`);
    }
    const silentMs = [];
    for (let round = 0; round < silences; round++) {
      await pause(1_000 + Math.random() * 2_000);
      proxy.freeze();
      silentMs.push(await untilServing(fleet, headers, stops + round));
      proxy.giveUpFrozen();
    }
    isOver = true;
    const { sent, rate } = await selling;
    const settledS = await untilSettled(sql, 150);
    const refused = answers.keys().filter((status) => status >= 400 && status < 500);
    const worst = Math.max(...readyMs);
    const worstSilent = Math.max(...silentMs);
    const wrong = [
      ...(await readBackAll(fleet, headers, acknowledged)),
      ...(await checkEvents(sql, acknowledged)),
    ];
    proxy.silence();
    const exits = await Promise.all(fleet.members.map((member) => fleet.terminate(member)));
    const slowest = Math.max(...exits.map(({ ms }) => ms));
    return {
      problems: [
        ...(refused.length > 0 ? [`receipts were refused for good: ${answers}`] : []),
        ...(withoutRetryAfter.of(503) > 0 ? ['a 503 came without Retry-After'] : []),
        ...(worst > limits.back ? [`served ${Math.round(worst)} ms after the database was back`] : []),
        ...(worstSilent > limits.silent
          ? [`served ${Math.round(worstSilent)} ms after connections fell silent`]
          : []),
        ...(slowest > limits.exit
          ? [`a process took ${Math.round(slowest)} ms to end without a database`]
          : []),
        ...(unanswered.length > 0 ? [`receipts that were not accepted: ${few(unanswered)}`] : []),
        ...wrong,
      ],
      figures: {
        'stops of PostgreSQL': stops,
        'receipts sent': `${sent}, ${rate.toFixed(0)}/s`,
        'receipts acknowledged': acknowledged.length,
        'answers on the way': `${answers}`,
        'all 3 serve again after': `${percentile(readyMs, 0.5).toFixed(0)} ms in the middle, ${worst.toFixed(0)} ms at worst (limit ${limits.back} ms)`,
        'silences of its connections': silences,
        'all 3 serve again after a silence': `${percentile(silentMs, 0.5).toFixed(0)} ms in the middle, ${worstSilent.toFixed(0)} ms at worst (limit ${limits.silent} ms)`,
        'exit while it is silent': `${slowest.toFixed(0)} ms at worst (limit ${limits.exit} ms)`,
        'settled after': `${settledS.toFixed(1)} s`,
      },
    };
  } finally {
    await stage.close();
    proxy.close();
  }
}
