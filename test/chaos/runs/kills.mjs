import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { lateMs } from '../bounds.mjs';
import { MAX_WAITING, receiptOf, steadily, Tally } from '../load.mjs';
import { startReceiver } from '../receiver.mjs';
import { checkEvents, checkPreparedAnswers, few, readBackAll, untilSettled } from '../receipt-checks.mjs';
import { openChaosWebhooks, openShop, openStage, stock } from '../stage.mjs';
import { checkChaos } from '../webhook-checks.mjs';

export const about =
  '3 servers, one of two processes, receipts under way, random kill -9; each killed process is started again';
export const limitS = 1_200;

/** In the short form starting processes get the processor, because the run takes as long as the restarts. */
const RECEIPTS_PER_S = { short: 30, full: 100 };
const STUCK_AFTER_S = 150;
/** Every so many customers get access for a few seconds, whose end has to be told. */
const GRANT_EVERY = { short: 5, full: 20 };
const GRANTED_MS = { short: 4_000, full: 10_000 };
const PRODUCTS = { monthly: 'chaos_monthly', coins: 'chaos_coins' };

/** Grants that end while processes die: each end is one event. */
async function checkEnds(sql, granted) {
  const { rows } = await sql.query(
    `SELECT body ->> 'app_user_id' AS customer, count(*)::int AS count FROM events WHERE type = 'EXPIRATION' GROUP BY 1`,
  );
  const counts = new Map(rows.map(({ customer, count }) => [customer, count]));
  const wrong = granted.filter((customer) => counts.get(customer) !== 1);
  return wrong.length > 0 ? [`ends of access that were not told once: ${few(wrong)}`] : [];
}

export async function run({ cluster, short, log, kills = null }) {
  const form = short ? 'short' : 'full';
  const wanted = kills ?? (short ? 3 : 100);
  const lag = monitorEventLoopDelay();
  lag.enable();
  const receiver = await startReceiver(() => pause(Math.random() * 150).then(() => 200));
  const stage = await openStage(cluster, 'kills', {
    environment: short ? { SERVICE_WEBHOOK_LEASE_MS: '15000' } : {},
    hasWorkers: true,
  });
  const { fleet, world, sql, post } = stage;
  try {
    const { appId, headers } = await openShop(stage, 'Chaos');
    await stock(stage, appId, PRODUCTS);
    const entitlement = await post('/entitlements', { lookup_key: 'granted', display_name: 'Granted' });
    await openChaosWebhooks(stage, receiver.url, appId);
    const acknowledged = [];
    const granted = [];
    let lastEndMs = 0;
    const answers = new Tally();
    const unanswered = [];
    const grant = async (customer) => {
      const path = `${world.path}/customers/${customer}/actions/grant_entitlement`;
      const body = {
        entitlement_id: entitlement.id,
        expires_at: Math.round(Date.now() + GRANTED_MS[form] * (1 + Math.random())),
      };
      lastEndMs = Math.max(lastEndMs, body.expires_at);
      const backend = { authorization: `Bearer ${world.key}`, 'idempotency-key': `grant ${customer}` };
      const { status } = await fleet.call('POST', path, backend, body);
      if (status < 300) granted.push(customer);
      else answers.add(`grant ${status}`);
    };
    const buy = async (number) => {
      const customer = `chaos-${number}`;
      const productId = number % 2 === 0 ? PRODUCTS.monthly : PRODUCTS.coins;
      try {
        const receipt = receiptOf(customer, productId);
        const { status } = await fleet.call(
          'POST',
          '/v1/receipts',
          headers,
          receipt,
          (code, _headers, text) => answers.add(code === 200 ? 200 : `${code} ${text}`),
        );
        if (status === 200) acknowledged.push({ customer, productId });
        if (number % GRANT_EVERY[form] === 0) await grant(customer);
      } catch (error) {
        unanswered.push(`${customer}: ${error.message}`);
      }
    };
    let isOver = false;
    const selling = steadily(RECEIPTS_PER_S[form], () => isOver, buy, MAX_WAITING);
    while (fleet.kills.length < wanted) {
      // A start costs seconds of processor time: several at once would be an overload, which is another run.
      await pause(Math.random() * 1_000);
      await fleet.killOne();
      if (fleet.kills.length % 20 === 0) log(`  ${fleet.kills.length} killed`);
    }
    isOver = true;
    const { sent, rate } = await selling;
    await pause(Math.max(0, lastEndMs - Date.now()));
    const settledS = await untilSettled(sql, STUCK_AFTER_S);
    const bought = acknowledged.map(({ customer }) => customer);
    const problems = [
      ...(unanswered.length > 0 ? [`receipts without an answer: ${few(unanswered)}`] : []),
      ...(acknowledged.length < sent - unanswered.length ? [`answers to receipts: ${answers}`] : []),
      ...(await readBackAll(fleet, headers, acknowledged)),
      ...(await checkEvents(sql, acknowledged)),
      ...(await checkEnds(sql, granted)),
      ...(await checkPreparedAnswers(sql)),
      ...(await checkChaos({
        sql,
        receiver,
        bought,
        stale: [],
        kills: fleet.kills,
        lagMs: lag.max / 1e6 + lateMs(short),
        log: (text) => log(`  ${text}`),
      })),
    ];
    return {
      problems,
      figures: {
        'processes killed': fleet.kills.length,
        'receipts sent': `${sent}, ${rate.toFixed(0)}/s`,
        'receipts acknowledged': acknowledged.length,
        'answers on the way': `${answers}`,
        'ends of access told': granted.length,
        'webhook requests': receiver.requests.length,
        'settled after': `${settledS.toFixed(1)} s (limit ${STUCK_AFTER_S} s)`,
      },
    };
  } finally {
    await stage.close();
    receiver.close();
  }
}
