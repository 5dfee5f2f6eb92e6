import fc from 'fast-check';
import { type FakeRokuProduct, rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import type {
  FakeRokuSubscription,
  RokuMessage,
} from '../../../test/support/fake-roku/fake-roku-subscription.js';
import { bought, renewing } from '../../../test/support/roku-rows.js';
import { RokuWatch } from '../../../test/support/roku-watch.js';
import { rhythmOf, spansUpTo } from './rhythm.js';

const MICROS = 9_990_000;
const DAY_MS = 86_400_000;
/** The last day of a long month. */
const LONG_MONTH_MS = Date.UTC(2026, 0, 31);
const { monthly, yearly, calendar, intro } = rokuProducts;

interface Course {
  product: FakeRokuProduct;
  /** The way this server learns of each renewal. */
  seen: ('nothing' | 'poll' | 'push')[];
  /** Notifications that arrive late, again or for the first time. */
  late: number[];
  isCancelled: boolean;
}

const renewals = (count: number): string[] => Array<string>(count).fill('RENEWAL');

/** Roku charges on the day each period ends. */
function renew(watch: RokuWatch, life: FakeRokuSubscription, times: number): RokuMessage[] {
  return Array.from({ length: times }, () => {
    watch.on(watch.dayOf(life.expirationMs));
    return life.renew();
  });
}

/** Returns the final state of a subscription whose renewals were observed as the course defines, or each at once. */
async function left({ product, seen, late, isCancelled }: Course, isWatched: boolean): Promise<unknown> {
  const watch = new RokuWatch(LONG_MONTH_MS);
  await watch.start();
  const life = await bought(watch, product);
  const messages: RokuMessage[] = [];
  for (const how of seen) {
    const [message] = renew(watch, life, 1);
    messages.push(message as RokuMessage);
    watch.on(watch.dayOf(watch.clock.nowMs()) + 0.1);
    if (isWatched || how === 'poll') await watch.poll(life);
    if (isWatched || how === 'push') await watch.push(message as RokuMessage);
  }
  if (isCancelled) life.cancel();
  for (const index of isWatched ? [] : late) {
    const message = messages[index];
    if (message) await watch.push(message);
  }
  await watch.poll(life);
  await watch.close();
  // Month ends may shift a period by a day.
  const { length: periods } = watch.periodsOf(life);
  return { state: watch.stateOf(life), events: watch.events, ledger: watch.ledger, periods };
}

describe('renewals of which no notification came', () => {
  const watch = new RokuWatch(LONG_MONTH_MS);

  beforeAll(() => watch.start());
  beforeEach(() => watch.reset());
  afterAll(() => watch.close());

  const grossOf = (): number => watch.ledger.reduce((sum, [, micros]) => sum + (micros ?? 0), 0);

  it.each([
    ['of thirty days', monthly],
    ['of the calendar', calendar],
  ])('counts several missed periods %s as many renewals, at the known price', async (_, product) => {
    const life = await bought(watch, product);
    renew(watch, life, 5);
    watch.on(watch.dayOf(watch.clock.nowMs()) + 0.1);
    await watch.poll(life);
    expect(watch.events).toEqual(['INITIAL_PURCHASE', ...renewals(5)]);
    expect(watch.ledger).toEqual([
      ['purchase', MICROS],
      ...Array.from({ length: 5 }, () => ['renewal', MICROS]),
    ]);
    expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: watch.dayOf(life.expirationMs) });
    await watch.poll(life);
    expect(watch.events).toHaveLength(6);
  });

  it('takes the period length from the catalog after a trial; without it, they are one', async () => {
    for (const [duration, count] of [
      ['P1M', 3],
      [null, 1],
    ] as const) {
      watch.reset();
      const life = await bought(watch, monthly, { trialDays: 7 });
      watch.duration = duration;
      renew(watch, life, 3);
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE/trial', ...renewals(count)]);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 97 });
    }
  });

  it('counts no twelve payments of one year if the catalog is wrong', async () => {
    const life = await bought(watch, yearly, { trialDays: 7 });
    watch.duration = 'P1M';
    renew(watch, life, 1);
    await watch.poll(life);
    expect(watch.events).toEqual(['INITIAL_PURCHASE/trial', 'RENEWAL']);
    expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 372 });
  });

  it('ignores an introductory period for those after it', async () => {
    const life = watch.roku.subscribe({ ...intro, days: 7 });
    await watch.post(life.id, { introDuration: 'P1W' });
    life.product = monthly;
    watch.duration = 'P1M';
    watch.on(7);
    life.product = { ...monthly, id: intro.id };
    renew(watch, life, 1);
    await watch.poll(life);
    expect(watch.events).toEqual(['INITIAL_PURCHASE/intro', 'RENEWAL']);
  });

  it('counts an end that moved by less than a period as an extension, not a payment', async () => {
    const life = await bought(watch);
    watch.on(29.5);
    life.extend(14);
    watch.on(30.5);
    await watch.poll(life);
    expect(watch.events).toEqual(['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED']);
    expect(watch.ledger).toEqual([['purchase', MICROS]]);
    expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 44 });
  });

  it('counts only payments that must have been made after a failed charge, until its transaction is reported', async () => {
    const life = await bought(watch);
    watch.on(50);
    const first = life.recover();
    const [second] = renew(watch, life, 1);
    watch.on(81);
    await watch.poll(life);
    // Roku does not report whether it was one payment and a gap of fifty days, or two and a gap of twenty.
    expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 110 });
    await watch.push(first);
    await watch.push(second as RokuMessage);
    expect(watch.events).toEqual(['INITIAL_PURCHASE', ...renewals(2)]);
    expect(grossOf()).toBe(3 * MICROS);
  });

  it('starts a recovery found on hold a full period before its end', async () => {
    const life = await bought(watch, calendar);
    watch.on(36);
    await watch.poll(life);
    watch.on(40);
    life.recover();
    watch.on(55);
    await watch.poll(life);
    expect(watch.events.slice(-2)).toEqual(['EXPIRATION/BILLING_ERROR', 'RENEWAL']);
    expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: watch.dayOf(life.expirationMs) });
    expect(watch.periodsOf(life).map(({ startMs }) => watch.dayOf(startMs))).toEqual([0, 40]);
  });

  it('finds earlier ones from a notification of the newest', async () => {
    const life = await bought(watch);
    const messages = renew(watch, life, 3);
    await watch.push(messages[2] as RokuMessage);
    expect(watch.events).toEqual(['INITIAL_PURCHASE', ...renewals(3)]);
    for (const message of [...messages, ...messages.toReversed()]) await watch.push(message);
    expect(watch.events).toEqual(['INITIAL_PURCHASE', ...renewals(3)]);
    expect(grossOf()).toBe(4 * MICROS);
  });

  it('counts no payments between a cancellation and a later return', async () => {
    const life = await bought(watch);
    watch.on(10);
    await watch.push(life.cancel());
    watch.on(89);
    life.isCancelled = false;
    await watch.push(life.renew());
    expect(watch.events.filter((type) => type === 'RENEWAL')).toHaveLength(1);
  });

  it('ends the same seen one at a time or missed in a row, in any order and repetition', async () => {
    const products: FakeRokuProduct[] = [monthly, calendar];
    const course = fc.record<Course>({
      product: fc.constantFrom(...products),
      seen: fc.array(fc.constantFrom('nothing', 'poll', 'push'), { minLength: 1, maxLength: 6 }),
      late: fc.array(fc.nat({ max: 5 }), { maxLength: 8 }),
      isCancelled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(course, async (what) => {
        const expected = await left(what, true);
        expect(await left(what, false)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the rhythm of a subscription', () => {
  const at = (text: string): number => Date.parse(`${text}T10:00:00Z`);
  const month = { startMs: at('2026-01-31'), endMs: at('2026-02-28') };

  it.each([
    ['2026-02-28', '2026-05-31', ['2026-03-31', '2026-04-30', '2026-05-31']],
    ['2026-01-31', '2026-03-31', ['2026-02-28', '2026-03-31']],
    ['2026-01-15', '2026-02-15', ['2026-02-15']],
    ['2026-01-15', '2026-01-29', []],
  ])('spans %s to %s', (from, to, ends) => {
    const spans = spansUpTo(
      { fromMs: at(from), toMs: at(to), isLapse: false },
      rhythmOf([month], null),
      at(to),
    );
    expect(spans.map(({ endMs }) => new Date(endMs).toISOString().slice(0, 10))).toEqual(ends);
  });

  it.each([
    ['that Roku sells', [month], 'P1Y', { months: 1 }],
    [
      'a longer one is a gift: the catalog decides',
      [{ startMs: 0, endMs: 45 * DAY_MS }],
      'P1M',
      { months: 1 },
    ],
    [
      'without the catalog, a longer one is all that is known',
      [{ startMs: 0, endMs: 45 * DAY_MS }],
      null,
      { seconds: 45 * 86_400 },
    ],
    ['of the catalog, before anything is paid', [], 'P3M', { months: 3 }],
  ])('follows the newest period %s', (_, paid, duration, period) => {
    expect(rhythmOf(paid, duration)?.period).toMatchObject(period);
  });

  it('stays unknown without information: then there is one period', () => {
    expect(rhythmOf([], null)).toBeNull();
    expect(spansUpTo({ fromMs: 0, toMs: 90 * DAY_MS, isLapse: false }, null, 90 * DAY_MS)).toHaveLength(1);
  });
});
