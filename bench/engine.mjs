import { buildOrExit } from '../scripts/build.mjs';

/**
 * Time to take one fact into a subscription with 100 past periods, as it is done for every store notification: `node
 * bench/engine.mjs`. Prints microseconds an apply, median and 99th percentile.
 */
await buildOrExit();
const { applySubscription, newSubscription, noSubscriptionFacts } =
  await import('../dist/libs/engine/index.js');

const PERIODS = 100;
const RUNS = 5_000;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2016, 0, 1);
const startOf = (index) => START_MS + index * 30 * DAY_MS;

const said = (atMs, value) => ({ at: atMs, src: 'signed', value });

function observation(index) {
  const atMs = startOf(index);
  const period = {
    storeProductId: 'monthly',
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: index > 0,
    startMs: atMs,
    endMs: startOf(index + 1),
    price: { amountMicros: 9_990_000, currency: 'USD', source: 'store' },
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: `2000000${index}`,
    country: 'US',
  };
  const renewal = {
    periodKey: `p${index}`,
    autoRenew: true,
    cancelledAtMs: null,
    nextProductId: null,
    inRetry: false,
    billingIssueAtMs: null,
    graceUntilMs: null,
    pauseScheduled: false,
    paused: false,
    autoResumeAtMs: null,
  };
  const facts = {
    ...noSubscriptionFacts,
    periods: { [`p${index}`]: said(atMs, period) },
    renewal: said(atMs, renewal),
  };
  return { atMs, facts };
}

let subscription = newSubscription({
  id: 'sub_1',
  store: 'app_store',
  environment: 'production',
  storeKey: 'c',
});
for (let index = 0; index < PERIODS; index++) {
  subscription = applySubscription(subscription, observation(index), startOf(index)).subscription;
}
const stored = JSON.stringify(subscription);

const measure = (what, next) => {
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const { previous, fact, nowMs } = next();
    const before = process.hrtime.bigint();
    applySubscription(previous, fact, nowMs);
    times.push(Number(process.hrtime.bigint() - before) / 1_000);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(0);
  process.stdout.write(`${what}: ${at(0.5)} µs median, ${at(0.99)} µs p99\n`);
};

const fresh = () => JSON.parse(stored);
const renewal = observation(PERIODS);
const known = observation(PERIODS - 1);
process.stdout.write(
  `a subscription with ${PERIODS} periods (${Math.round(stored.length / 1024)} KB stored)\n`,
);
measure('a renewal', () => ({ previous: fresh(), fact: renewal, nowMs: startOf(PERIODS) }));
measure('the same fact again', () => ({ previous: fresh(), fact: known, nowMs: startOf(PERIODS) - DAY_MS }));
measure('time alone', () => ({ previous: fresh(), fact: null, nowMs: startOf(PERIODS) - DAY_MS }));
