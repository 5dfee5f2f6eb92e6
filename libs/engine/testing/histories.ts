import fc from 'fast-check';
import type { PriceSource, RefundFact, Store } from '../index.js';
import { DAY_MS, day, MINUTE_MS, PRICE_MICROS, ReportBuilder, START_MS } from './subscription-history.js';
import type { Step } from './world.js';

const HOUR_MS = 3_600_000;

/** Events during or after one period; `on` is a day within it. */
interface PeriodCourse {
  what: (typeof courses)[number];
  on: number;
  refund: { back: number; kind: RefundFact['kind']; after: number; reversed: boolean } | null;
  price: PriceSource;
  addOn: (typeof addOnCourses)[number];
}

const addOnCourses = ['none', 'none', 'none', 'joins', 'leaves', 'taken', 'held', 'refunded'] as const;

const courses = [
  'renew',
  'renew_early',
  'cancel',
  'uncancel',
  'grace_recovered',
  'grace_lost',
  'retry_recovered',
  'retry_lost',
  'upgrade',
  'downgrade',
  'extend',
  'pause',
  'pause_lifted',
  'grace_late',
  'grace_after_retry',
  'extend_early',
  'consent',
  'instalments',
  'cut',
] as const;

export const ids = ['ann', 'bob', '$anon1', '$anon2'];
const subscriptions = ['c1', 'c2', 'c3'];
export const stores: Store[] = ['app_store', 'play_store', 'test_store'];

function reportsOf(
  first: { kind: 'normal' | 'trial' | 'intro'; family: boolean; hasAddOn: boolean },
  lifetime: PeriodCourse[],
  from: number,
): ReportBuilder[] {
  const reports: ReportBuilder[] = [];
  let index = 0;
  let start = from;
  let end = from + 30;
  let product = 'monthly';
  let hasAddOn = first.hasAddOn;
  let addOnKey = '';
  const say = (days: number): ReportBuilder => {
    const report = new ReportBuilder(day(days));
    reports.push(report);
    return report;
  };
  const term = () =>
    ({
      kind: index === 0 ? first.kind : 'normal',
      ownership: first.family ? 'family_shared' : 'purchased',
      storeProductId: product,
      startMs: day(start),
      endMs: day(end),
    }) as const;
  const bought = (days: number, priceSource: PriceSource = 'store'): void => {
    const price = { amountMicros: PRICE_MICROS - index, currency: 'USD', source: priceSource } as const;
    const fact = term();
    if (hasAddOn) {
      const { kind, ownership, startMs, endMs } = fact;
      addOnKey = `p${index}+hifi`;
      say(days).addOn(index, { kind, ownership, startMs, endMs, renews: days % 2 === 0 });
    }
    if (priceSource === 'store') {
      say(days)
        .period(index, { ...fact, price })
        .renewal(index);
      return;
    }
    // A device reports no renewals and sends its own price, even if the store has reported another.
    const storePrice = { ...price, amountMicros: PRICE_MICROS, source: 'store' } as const;
    say(days).period(index, { ...fact, price });
    say(days + 0.1).period(index, { ...fact, price: storePrice });
    say(days + 0.2).period(index, { ...fact, price });
  };
  const next = (days: number, startsOn = days, priceSource?: PriceSource): void => {
    index += 1;
    start = startsOn;
    end = startsOn + 30;
    bought(days, priceSource);
  };
  const changeAddOn = (addOn: PeriodCourse['addOn'], mid: number): void => {
    const { family } = first;
    switch (addOn) {
      case 'none':
        return;
      case 'joins': {
        const ownership = family ? 'family_shared' : 'purchased';
        if (!hasAddOn) {
          const alone = { ownership, startMs: day(mid), endMs: day(end) } as const;
          say(mid).addOn(`a${index}`, alone);
          addOnKey = `a${index}+hifi`;
        }
        hasAddOn = true;
        return;
      }
      case 'leaves':
        hasAddOn = false;
        return;
      case 'taken':
        if (hasAddOn) say(mid).ends(addOnKey, { expired: day(mid) });
        hasAddOn = false;
        return;
      case 'held':
        if (!hasAddOn) return;
        say(mid).ends(addOnKey, { expired: day(mid) });
        say(mid + 1).ends(addOnKey, { expired: null, grace: day(end + 2) });
        return;
      case 'refunded':
        if (hasAddOn)
          say(mid).refund(addOnKey.split('+')[0] ?? '', { kind: 'partial', amountMicros: 500_000 });
    }
  };
  bought(from);
  for (const { what, on, refund, price, addOn } of lifetime) {
    const mid = start + on;
    const current = index;
    changeAddOn(addOn, mid);
    switch (what) {
      case 'renew':
        next(end, end, price);
        break;
      case 'renew_early':
        next(end - 0.5, end);
        break;
      case 'cancel':
        say(mid).renewal(index, { autoRenew: false });
        next(end + on);
        break;
      case 'uncancel':
        say(mid).renewal(index, { autoRenew: false });
        say(mid + 0.5).renewal(index);
        next(end);
        break;
      case 'grace_recovered':
        say(end).renewal(index, { inRetry: true, graceUntilMs: day(end + 6) });
        next(end + 3, end);
        break;
      case 'grace_lost':
        say(end)
          .renewal(index, { inRetry: true, graceUntilMs: day(end + 6) })
          .ends(index, { grace: day(end + 6) });
        say(end + 6.1).renewal(index, { inRetry: true });
        next(end + 20);
        break;
      case 'retry_recovered':
        say(end - 0.5).renewal(index, { inRetry: true });
        next(end + on);
        break;
      case 'retry_lost':
        say(end + 0.1).renewal(index, { inRetry: true });
        say(end + 60).renewal(index, { autoRenew: false, ended: true, cancelReason: 'BILLING_ERROR' });
        next(end + 61);
        break;
      case 'upgrade':
        product = product === 'monthly' ? 'yearly' : 'monthly';
        next(mid);
        break;
      case 'downgrade':
        product = product === 'monthly' ? 'basic' : 'monthly';
        say(mid).renewal(index, { nextProductId: product });
        next(end);
        break;
      case 'extend':
        end += 7;
        say(mid).period(index, term());
        next(end);
        break;
      case 'pause':
        say(mid).renewal(index, { pauseScheduled: true });
        say(end).renewal(index, { paused: true, autoResumeAtMs: day(end + 10) });
        next(end + 10);
        break;
      case 'pause_lifted':
        say(mid).renewal(index, { pauseScheduled: true });
        say(end).renewal(index, { paused: true });
        say(end + 5)
          .renewal(index)
          .ends(index, { grace: day(end + 30) });
        next(end + 30);
        break;
      case 'grace_late':
        say(end + 2).renewal(index, { inRetry: true, graceUntilMs: day(end + 16) });
        say(end + 16.1).renewal(index, { inRetry: true });
        next(end + 20);
        break;
      case 'grace_after_retry':
        say(end + 0.1).renewal(index, { inRetry: true });
        say(end + 1).renewal(index, { inRetry: true, graceUntilMs: day(end + 16) });
        next(end + 20);
        break;
      case 'extend_early':
        end += 7;
        say(mid).period(index, term());
        // Newer than the extension, and often received before it.
        say(mid + 1).renewal(index);
        next(end);
        break;
      case 'consent':
        say(mid).renewal(index, { priceIncrease: 'pending' });
        say(mid + 0.5).renewal(index, { priceIncrease: 'accepted' });
        next(end);
        break;
      case 'instalments':
        say(mid).renewal(index, { autoRenew: false, commitmentEndsAtMs: day(end + 30) });
        next(end);
        break;
      case 'cut':
        say(mid)
          .renewal(index, { autoRenew: false, ended: true, cancelReason: 'UNSUBSCRIBE' })
          .ends(index, { expired: day(mid) });
        next(end + 1);
        break;
    }
    if (!refund) continue;
    const of = Math.max(0, current - refund.back);
    const said = say(mid + refund.after);
    const part = refund.kind === 'partial' ? { amountMicros: 3_000_000 } : {};
    const share = refund.kind === 'prorated' ? { milliPercent: 33_333 } : {};
    said.refund(of, { kind: refund.kind, ...part, ...share });
    if (refund.reversed) say(mid + refund.after + 2).refund(of, { kind: refund.kind, revokedAtMs: null });
  }
  return reports;
}

const course: fc.Arbitrary<PeriodCourse> = fc.record({
  what: fc.constantFrom(...courses),
  on: fc.integer({ min: 1, max: 28 }),
  refund: fc.option(
    fc.record({
      back: fc.nat({ max: 2 }),
      kind: fc.constantFrom('full' as const, 'prorated' as const, 'partial' as const, 'family' as const),
      after: fc.constantFrom(0.25, 5, 45),
      reversed: fc.boolean(),
    }),
    { freq: 3 },
  ),
  price: fc.constantFrom('store' as const, 'device' as const),
  addOn: fc.constantFrom(...addOnCourses),
});

const lifetime = fc.record({
  kind: fc.constantFrom('normal' as const, 'trial' as const, 'intro' as const),
  family: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  hasAddOn: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  courses: fc.array(course, { minLength: 0, maxLength: 4 }),
  from: fc.integer({ min: 0, max: 60 }),
});

const delivery = fc.record({
  delayMs: fc.constantFrom(0, 0, 0, 2_000, 10 * MINUTE_MS, DAY_MS, 40 * DAY_MS),
  again: fc.option(fc.constantFrom(0, MINUTE_MS, 3 * DAY_MS), { freq: 3 }),
  skewMs: fc.constantFrom(0, 0, -10 * MINUTE_MS, 10 * MINUTE_MS),
});

export interface History {
  store: Store;
  /** Steps in chronological order; the clock only moves forward, sometimes by a long time. */
  steps: { nowMs: number; step: Step }[];
}

const someId = fc.constantFrom(...ids);
const someDay = fc.integer({ min: 0, max: 260 });
const customerStep: fc.Arbitrary<{ on: number; step: Step }> = fc.oneof(
  fc.record({
    on: someDay,
    step: fc.record({
      kind: fc.constant('post' as const),
      subscription: fc.constantFrom(...subscriptions),
      id: someId,
      behavior: fc.constantFrom(
        'transfer' as const,
        'transfer' as const,
        'transfer_if_no_active' as const,
        'keep' as const,
        'share' as const,
      ),
      isRestore: fc.boolean(),
    }),
  }),
  fc.record({
    on: someDay,
    step: fc.record({ kind: fc.constant('identify' as const), current: someId, next: someId }),
  }),
  fc.record({ on: someDay, step: fc.record({ kind: fc.constant('revoke' as const), id: someId }) }),
  fc
    .record({ on: someDay, id: someId, apartMs: fc.constantFrom(0, HOUR_MS, 2 * HOUR_MS, 2 * HOUR_MS + 1) })
    .map(({ on, id, apartMs }) => ({
      on,
      step: { kind: 'grant' as const, id, endMs: day(Math.ceil((on + 1) / 100) * 100) + apartMs },
    })),
  fc.record({ on: someDay, step: fc.record({ kind: fc.constant('tick' as const) }) }),
);

export const histories: fc.Arbitrary<History> = fc
  .record({
    store: fc.constantFrom(...stores),
    lifetimes: fc.array(lifetime, { minLength: 1, maxLength: 3 }),
    deliveries: fc.array(delivery, { minLength: 1, maxLength: 12 }),
    customers: fc.array(customerStep, { maxLength: 10 }),
  })
  .map(({ store, lifetimes, deliveries, customers }) => {
    const steps: History['steps'] = [];
    lifetimes.forEach(({ kind, family, hasAddOn, courses: lifetime, from }, number) => {
      reportsOf({ kind, family, hasAddOn }, lifetime, from).forEach(({ observation }, index) => {
        const how = deliveries[(index + number) % deliveries.length];
        const step: Step = { kind: 'receive', subscription: subscriptions[number] ?? 'c1', observation };
        const arrivedMs = Math.max(START_MS, observation.atMs + (how?.delayMs ?? 0) + (how?.skewMs ?? 0));
        steps.push({ nowMs: arrivedMs, step });
        if (typeof how?.again === 'number') steps.push({ nowMs: arrivedMs + how.again, step });
      });
    });
    steps.push(...customers.map(({ on, step }) => ({ nowMs: day(on), step })));
    return { store, steps: steps.sort((a, b) => a.nowMs - b.nowMs) };
  });
