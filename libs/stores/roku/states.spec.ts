import { rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import type { FakeRokuSubscription } from '../../../test/support/fake-roku/fake-roku-subscription.js';
import { type RokuState, RokuWatch } from '../../../test/support/roku-watch.js';

const { monthly, intro, basic, yearly } = rokuProducts;
const START_MS = Date.UTC(2026, 0, 1);
const HOUR = 1 / 24;
const MICROS = 9_990_000;

const renewing = { status: 'active', renews: 'will_renew', access: true };
const ending = { status: 'active', renews: 'will_not_renew', access: true };
const expired = { status: 'expired', renews: 'will_not_renew', access: false };
const inGrace: RokuState = { status: 'in_grace_period', renews: 'will_renew', access: true, endsOn: 33 };
const onHold = { status: 'in_billing_retry', renews: 'will_renew', access: false };
const failed = ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];

interface Row {
  row: string;
  /** Lives it; what it returns is looked at. */
  live(watch: RokuWatch): Promise<FakeRokuSubscription>;
  state: RokuState | null;
  events: string[];
}

async function bought(
  watch: RokuWatch,
  ...[product = monthly, options]: Parameters<RokuWatch['roku']['subscribe']>
): Promise<FakeRokuSubscription> {
  const life = watch.roku.subscribe(product, options);
  await watch.post(life.id);
  return life;
}

/** A subscription with what happened to it on some days, each told by a notification. */
function course(
  ...steps: [day: number, what: (life: FakeRokuSubscription) => Record<string, unknown>][]
): (watch: RokuWatch) => Promise<FakeRokuSubscription> {
  return async (watch) => {
    const life = await bought(watch);
    for (const [day, what] of steps) {
      watch.on(day);
      await watch.push(what(life));
    }
    return life;
  };
}

const rows: Row[] = [
  {
    row: 'K1 first transaction',
    live: course(),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K2 trial, by the flag of Roku',
    live: (watch) => bought(watch, monthly, { trialDays: 7 }),
    state: { ...renewing, status: 'trialing', endsOn: 7 },
    events: ['INITIAL_PURCHASE/trial'],
  },
  {
    row: 'K2 trial, by the trial of the product that the device names',
    async live(watch) {
      const life = watch.roku.subscribe(monthly, { isTest: true });
      await watch.post(life.id, { trialDuration: 'P1W' });
      return life;
    },
    state: { ...renewing, status: 'trialing', endsOn: 30 },
    events: ['INITIAL_PURCHASE/trial'],
  },
  {
    row: 'K2 a test user pays nothing, and has no trial',
    live: (watch) => bought(watch, monthly, { isTest: true }),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K3 introductory price',
    async live(watch) {
      const life = watch.roku.subscribe(intro);
      await watch.post(life.id, { introDuration: 'P1M' });
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE/intro'],
  },
  {
    row: 'K4 renewal',
    live: course([30, (life) => life.renew()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
  },
  {
    row: 'K4 trial, converted',
    async live(watch) {
      const life = await bought(watch, monthly, { trialDays: 7 });
      watch.on(7);
      await watch.push(life.renew());
      return life;
    },
    state: { ...renewing, endsOn: 37 },
    events: ['INITIAL_PURCHASE/trial', 'RENEWAL'],
  },
  {
    row: 'K5 grace, told by Roku',
    live: course([30 + HOUR / 6, (life) => life.failCharge()]),
    state: inGrace,
    events: ['INITIAL_PURCHASE', ...failed],
  },
  {
    row: 'K5 grace, found by a poll',
    async live(watch) {
      const life = await bought(watch);
      watch.on(30 + 2 * HOUR);
      await watch.poll(life);
      return life;
    },
    state: inGrace,
    events: ['INITIAL_PURCHASE', ...failed],
  },
  {
    row: 'K5 a charge that takes minutes is no billing issue yet',
    async live(watch) {
      const life = await bought(watch);
      watch.on(30 + HOUR / 12);
      await watch.poll(life);
      return life;
    },
    state: inGrace,
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K6 recovered in grace',
    live: course([30.1, (life) => life.failCharge()], [32, (life) => life.recover()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', ...failed, 'RENEWAL'],
  },
  {
    row: 'K7 on hold after grace',
    live: course([30.1, (life) => life.failCharge()], [33.1, (life) => life.holdBegins()]),
    state: { ...onHold, endsOn: 33 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K7 on hold at once, after a trial',
    async live(watch) {
      const life = await bought(watch, monthly, { trialDays: 7 });
      watch.on(7.1);
      await watch.push(life.failCharge());
      return life;
    },
    state: { ...onHold, endsOn: 7 },
    events: [
      'INITIAL_PURCHASE/trial',
      ...['BILLING_ISSUE/trial', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
    ],
  },
  {
    row: 'K8 recovered on hold',
    live: course(
      [30.1, (life) => life.failCharge()],
      [33.1, (life) => life.holdBegins()],
      [40, (life) => life.recover()],
    ),
    state: { ...renewing, endsOn: 70 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR', 'RENEWAL'],
  },
  {
    row: 'K9 cancelled',
    live: course([10, (life) => life.cancel()]),
    state: { ...ending, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE'],
  },
  {
    row: 'K10 cancelled, over',
    async live(watch) {
      const life = await course([10, (one) => one.cancel()])(watch);
      watch.on(30.1);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
  },
  {
    row: 'K11 given up on hold: nothing more ends',
    live: course(
      [30.1, (life) => life.failCharge()],
      [33.1, (life) => life.holdBegins()],
      [90.1, (life) => life.news('Cancellation')],
    ),
    state: { ...expired, endsOn: 33 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K11 given up in grace',
    live: course([30.1, (life) => life.failCharge()], [32, (life) => life.shut()]),
    state: { ...expired, endsOn: 32 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K12 resubscribed',
    live: course([10, (life) => life.cancel()], [12, (life) => life.resubscribe()]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION'],
  },
  {
    row: 'K13 refunded, still entitled: only money',
    live: course([5, (life) => life.refund()]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K13 refunded as unauthorized: access ends',
    live: course([5, (life) => life.refund(life.total, { isUnauthorized: true })]),
    state: { ...expired, endsOn: 5 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
  },
  {
    row: 'K13 refunded, then cancelled at once',
    live: course([5, (life) => life.refund()], [6, (life) => life.shut()]),
    state: { ...expired, endsOn: 6 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
  },
  {
    row: 'K14 an older transaction refunded',
    live: course([30, (life) => life.renew()], [35, (life) => life.refund()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
  },
  {
    row: 'K14 refunded in part',
    live: course([5, (life) => life.refund(4)]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K15 upgrade: the old one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.upgrade(yearly).bought());
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K15 upgrade: the new one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.upgrade(yearly);
      await watch.push(next.bought());
      return next;
    },
    state: { ...renewing, endsOn: 375 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K15 upgrade with a trial: the old one waits without access',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.upgrade(yearly, 7).bought());
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE/trial', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K16 trial of an upgrade cancelled: the old one goes on',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.upgrade(yearly, 7);
      await watch.push(next.bought());
      watch.on(12);
      await watch.push(next.cancelUpgrade());
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: [
      ...['INITIAL_PURCHASE', 'INITIAL_PURCHASE/trial', 'PRODUCT_CHANGE'],
      ...['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    ],
  },
  {
    row: 'K17 downgrade planned: the old one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.downgrade(basic).downgradePlanned());
      return life;
    },
    state: { ...renewing, renews: 'will_change_product', endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K17 downgrade planned: the new one is not there yet',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      return next;
    },
    state: null,
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K17 a planned downgrade stays planned when Roku is asked again',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.downgrade(basic).downgradePlanned());
      watch.on(20);
      await watch.poll(life);
      return life;
    },
    state: { ...renewing, renews: 'will_change_product', endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K18 downgrade begins: the new one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(30.01);
      await watch.push(next.begin());
      return next;
    },
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE'],
  },
  {
    row: 'K18 downgrade begins: the old one ended without a word',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(30.01);
      await watch.push(next.begin());
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE'],
  },
  {
    row: 'K19 planned downgrade withdrawn',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(12);
      await watch.push(next.withdraw());
      return life;
    },
    state: { ...ending, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'CANCELLATION/UNSUBSCRIBE'],
  },
  {
    row: 'K20 chargeback',
    live: course([5, (life) => life.news('Chargeback', { total: 9.99 })]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K21 an offer to stay makes the period longer',
    live: course([10, (life) => life.extend(14)]),
    state: { ...renewing, endsOn: 44 },
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED'],
  },
  {
    row: 'K23 no longer sold: as if cancelled',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      life.isCancelled = true;
      await watch.poll(life);
      watch.on(30.1);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
  },
  {
    row: 'K24 voided, of a test user',
    async live(watch) {
      const life = await bought(watch, monthly, { isTest: true });
      watch.on(10);
      watch.roku.forget(life.id);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'],
  },
  {
    row: 'K24 unknown, but paid for: nothing changes',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      watch.roku.forget(life.id);
      await watch.poll(life);
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
];

describe('states of Roku subscriptions', () => {
  const watch = new RokuWatch(START_MS);

  beforeAll(() => watch.start());
  beforeEach(() => watch.reset());
  afterAll(() => watch.close());

  it.each(rows)('$row', async ({ live, state, events }) => {
    const life = await live(watch);
    expect(watch.stateOf(life)).toEqual(state);
    expect(watch.events).toEqual(events);
    // Asked again, Roku says the same: nothing happens.
    await watch.poll(life).catch(() => undefined);
    expect(watch.stateOf(life)).toEqual(state);
    expect(watch.events).toEqual(events);
  });

  const back = ['refund', -MICROS];
  const money: [string, ((life: FakeRokuSubscription) => Record<string, unknown>)[], unknown[]][] = [
    ['a refund', [(life) => life.refund()], [back]],
    [
      'two refunds of a part',
      [(life) => life.refund(4), (life) => life.refund(1)],
      [
        ['refund', -4_000_000],
        ['refund', -1_000_000],
      ],
    ],
    ['a refund of more than was paid', [(life) => life.refund(90)], [back]],
    ['a refund that ends access', [(life) => life.refund(9.99, { isUnauthorized: true })], [back]],
    ['a refund, then a cancellation', [(life) => life.refund(), (life) => life.shut()], [back]],
    ['a chargeback', [(life) => life.news('Chargeback', { total: 9.99 })], [back]],
    [
      'a chargeback that was reversed',
      [(life) => life.news('Chargeback', { total: 9.99 }), (life) => life.news('ChargebackReversed')],
      [back, ['refund_reversal', MICROS]],
    ],
    ['a credit', [(life) => life.news('Credit', { total: 3 })], []],
  ];

  it.each(money)('the ledger of %s', async (_, steps, rows) => {
    const life = await bought(watch);
    for (const [index, happens] of steps.entries()) {
      watch.on(5 + index);
      const message = happens(life);
      await watch.push(message);
      // Roku sends it again.
      await watch.push(message);
    }
    expect(watch.ledger).toEqual([['purchase', MICROS], ...rows]);
  });

  describe('a renewal of which no notification came', () => {
    const found = async (): Promise<FakeRokuSubscription> => {
      const life = await bought(watch);
      watch.on(30);
      life.renew();
      watch.on(30.5);
      await watch.poll(life);
      return life;
    };

    it('is found by a poll, and is no second one when the notification comes', async () => {
      const life = await found();
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 60 });
      watch.on(31);
      await watch.push(life.bought());
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 60 });
      const sum = watch.ledger.reduce((total, [, micros]) => total + (micros ?? 0), 0);
      expect(sum).toBe(2 * MICROS);
    });

    it('does not hide the next one', async () => {
      const life = await found();
      watch.on(60);
      await watch.push(life.renew());
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL']);
      expect(watch.stateOf(life)).toEqual({ ...renewing, endsOn: 90 });
    });

    it('after the notification, is found no second time', async () => {
      const life = await bought(watch);
      watch.on(30);
      await watch.push(life.renew());
      watch.on(31);
      await watch.poll(life);
      expect(watch.events).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    });
  });
});
