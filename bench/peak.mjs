import { setTimeout as pause } from 'node:timers/promises';
import { drained, notify, renewals, renewalsOf, startSide } from './notifications.mjs';
import { steadily } from './steady.mjs';

const PORT = 18_804;
/** A day's peak: renewals that are due in one hour, and arrive in ten minutes. */
const PEAK = { rows: 1_000_000, seconds: 600 };
/** Reads a second, beside the notifications and alone. */
const READS = 200;
/** Enough that no read waits for a connection: each phone has its own. */
const READERS = 256;
const QUIET_SECONDS = 10;
const AHEAD_SECONDS = 3;
const LATE_MS = 500;
const APP = 'App Store, no key';

const seconds = (from) => (performance.now() - from) / 1_000;
const rounded = (value, digits = 1) => Number(value.toFixed(digits));

/** Sends notifications at a rate and waits until all are processed. Times are from the first one (s). */
async function arrive(side, app, notifications, perSecond) {
  const from = performance.now();
  let next = 0;
  let resent = 0;
  const { failed, failures } = await steadily(
    perSecond,
    () => next < notifications.length,
    async () => (resent += (await notify(side, app, notifications[next++])) - 1),
  );
  if (failed > 0) throw new Error(`${failed} notifications failed: ${JSON.stringify(failures)}`);
  const arrivedAfter = seconds(from);
  await drained(side);
  return { arrivedAfter, drainedAfter: seconds(from), resent };
}

/** @throws Error unless each renewal was recorded once */
async function assertComplete(side, app, expected) {
  const recorded = await renewalsOf(side, app);
  const text = `SELECT count(DISTINCT subscription_id)::int AS bench FROM events WHERE type = 'RENEWAL' AND app_id = $1`;
  const [{ bench: renewed }] = await side.query(text, [app.id]);
  if (recorded !== expected || renewed !== expected)
    throw new Error(`${expected} renewals, but ${recorded} events about ${renewed} subscriptions`);
}

/**
 * A part of the peak, at the peak's rate: `rows` renewals arrive while phones read. Prints the latency of reads alone and
 * beside them, and the time that the inbox takes, compared with the rate of `trial` notifications.
 */
export async function benchPeak(tools, { folder, rows, trial }) {
  const { log, loadOnce } = tools;
  const side = await startSide(tools, { name: 'this', folder, port: PORT });
  const app = side.apps.find(({ name }) => name === APP);
  const perSecond = PEAK.rows / PEAK.seconds;
  const read = (forSeconds) =>
    loadOnce({
      url: side.url,
      kind: 'customer_info',
      headers: side.world.sdkHeaders,
      customers: 10,
      connections: READERS,
      rate: READS,
      seconds: Math.ceil(forSeconds),
    });
  try {
    log(`${trial} renewals show the rate`);
    const warmUp = await renewals(side, app, trial);
    await arrive(side, app, warmUp, perSecond);
    const tried = await renewals(side, app, trial);
    const [{ drainedAfter: trialSeconds }] = await Promise.all([
      arrive(side, app, tried, perSecond),
      read(trial / perSecond),
    ]);
    const rate = trial / trialSeconds;
    log(`${Math.round(rate)}/s; ${rows} customers subscribe`);
    const notifications = await renewals(side, app, rows);
    const alone = await read(QUIET_SECONDS);
    const arrivalSeconds = rows / perSecond;
    const predicted = Math.max(rows / rate, arrivalSeconds);
    log(`${rows} renewals arrive in ${Math.round(arrivalSeconds)} s; predicted: ${Math.round(predicted)} s`);
    // Phones read before the peak begins.
    const reading = read(AHEAD_SECONDS + predicted);
    await pause(AHEAD_SECONDS * 1_000);
    const peak = await arrive(side, app, notifications, perSecond);
    const beside = await reading;
    await assertComplete(side, app, 2 * trial + rows);
    for (const { failures, lateMs } of [alone, beside]) {
      if (lateMs > LATE_MS)
        log(`the load itself was up to ${Math.round(lateMs)} ms late: repeat on a quieter machine`);
      for (const [reason, count] of Object.entries(failures)) log(`${count} reads failed: ${reason}`);
    }
    console.table([
      { reads: 'alone', 'p50 ms': alone.p50, 'p99 ms': alone.p99, failed: alone.failed },
      { reads: 'beside renewals', 'p50 ms': beside.p50, 'p99 ms': beside.p99, failed: beside.failed },
    ]);
    console.table([
      {
        renewals: rows,
        'arrived after s': rounded(peak.arrivedAfter),
        'sent again': peak.resent,
        'rate per s': Math.round(rate),
        'predicted s': rounded(predicted),
        'processed after s': rounded(peak.drainedAfter),
        'processed / predicted': rounded(peak.drainedAfter / predicted, 2),
        'p99 beside / alone': rounded(beside.p99 / alone.p99, 2),
        missing: 0,
      },
    ]);
    const whole = Math.max(PEAK.rows / rate, PEAK.seconds);
    log(`at this rate, ${PEAK.rows} renewals are processed after ${Math.round(whole / 60)} minutes`);
  } finally {
    await side.stop();
  }
}
