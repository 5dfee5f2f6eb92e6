import { setTimeout as pause } from 'node:timers/promises';
import { boundMs } from '../bounds.mjs';
import { MAX_WAITING, percentile, receiptOf, steadily, Tally } from '../load.mjs';
import { startProxy } from '../proxy.mjs';
import { readBackAll, untilSettled } from '../receipt-checks.mjs';
import { openShop, openStage, stock } from '../stage.mjs';

export const about = 'SIGTERM to one server after the other, behind a proxy that asks /readyz';
export const limitS = 600;

/** In the short form the next process gets the whole processor to start. */
const PER_S = { short: 30, full: 100 };
const EXIT_WITHIN_MS = 25_000;
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };

export async function run({ cluster, short }) {
  const stops = short ? 1 : 9;
  const exitWithinMs = boundMs(short, EXIT_WITHIN_MS);
  // A proxy that hardly gets any processor time notices late, too.
  const drainMs = short ? 6_000 : 3_000;
  const stage = await openStage(cluster, 'drain', {
    size: short ? 2 : 3,
    environment: { SERVICE_DRAIN_MS: String(drainMs) },
    hasWorkers: true,
  });
  const { fleet, sql } = stage;
  const proxy = await startProxy(fleet.members);
  try {
    const { appId, headers } = await openShop(stage, 'Chaos');
    await stock(stage, appId, PRODUCTS);
    const answers = new Tally();
    const acknowledged = [];
    const failures = new Tally();
    /** Once, like a client that knows of no other address. */
    const send = async (what, path, init) => {
      try {
        const answer = await fetch(proxy.url + path, {
          ...init,
          signal: AbortSignal.timeout(boundMs(short, 20_000)),
        });
        await answer.arrayBuffer();
        answers.add(`${what} ${answer.status}`);
        if (!answer.ok) failures.add(`${what} ${answer.status}`);
        return answer.ok;
      } catch (error) {
        failures.add(`${what} ${error.cause ?? error}`);
        return false;
      }
    };
    const visit = async (number) => {
      const customer = `chaos-${number}`;
      const productId = number % 2 === 0 ? PRODUCTS.monthly : PRODUCTS.coins;
      const body = JSON.stringify(receiptOf(customer, productId));
      const post = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      if (await send('receipt', '/v1/receipts', post)) acknowledged.push({ customer, productId });
      await send('read', `/v1/subscribers/${customer}`, { headers });
    };
    let isOver = false;
    const visiting = steadily(PER_S[short ? 'short' : 'full'], () => isOver, visit, MAX_WAITING);
    const exits = [];
    for (let stop = 0; stop < stops; stop++) {
      const member = fleet.members[stop % fleet.members.length];
      await pause(1_000);
      exits.push(await fleet.terminate(member));
      await fleet.launch(member);
      while (!proxy.isReady(member)) await pause(50);
    }
    isOver = true;
    const { rate } = await visiting;
    await untilSettled(sql, 150);
    const times = exits.map(({ ms }) => ms);
    const worst = Math.max(...times);
    return {
      problems: [
        ...(failures.keys().length > 0 ? [`requests failed: ${failures}`] : []),
        ...(worst > exitWithinMs ? [`a process took ${Math.round(worst)} ms to end`] : []),
        ...(exits.some(({ code }) => code !== 0)
          ? [`exit codes: ${exits.map(({ code }) => code).join()}`]
          : []),
        ...(await readBackAll(fleet, headers, acknowledged)),
      ],
      figures: {
        'processes stopped': stops,
        'receipts and reads': `${rate.toFixed(0)}/s each`,
        answers: `${answers}`,
        'failed requests': `${failures}`,
        'time to exit': `${percentile(times, 0.5).toFixed(0)} ms in the middle, ${worst.toFixed(0)} ms at worst, ${drainMs} ms of it SERVICE_DRAIN_MS (limit ${exitWithinMs} ms)`,
      },
    };
  } finally {
    proxy.close();
    await stage.close();
  }
}
