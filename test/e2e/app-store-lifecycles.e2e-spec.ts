import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type {
  FakeAccount,
  FakeNotification,
  FakeSubscription,
} from '../support/fake-app-store/fake-subscription.js';

const DAY_MS = 86_400_000;
const { monthly, yearly } = fakeProducts;

/** What happens to a subscription that was bought on day 0: on which day, and what the App Store sends then. */
type Step = [day: number, happens: (subscription: FakeSubscription) => FakeNotification];

interface Life {
  name: string;
  start?: { trial?: boolean; intro?: boolean };
  account?: Partial<FakeAccount>;
  steps: Step[];
  /** All events, INITIAL_PURCHASE first. */
  events: string[];
  /** State at the end, on the day of the last step. */
  status: string;
  autoRenewal: 'will_renew' | 'will_not_renew' | 'will_change_product';
  givesAccess: boolean;
  /** End of access in days; undefined: not compared. */
  endsOnDay?: number;
  /** Gross revenue in USD. */
  revenue?: number;
}

const renew: Step[1] = (subscription) => subscription.renew();
const cancel: Step[1] = (subscription) => subscription.cancel();
const uncancel: Step[1] = (subscription) => subscription.uncancel();
const fail =
  (graceDays: number): Step[1] =>
  (subscription) =>
    subscription.failToRenew(graceDays);
const expire =
  (subtype: Parameters<FakeSubscription['expire']>[0]): Step[1] =>
  (subscription) =>
    subscription.expire(subtype);

/** A month is 30 days here, a trial 7. */
const lives: Life[] = [
  {
    name: 'bought and renewed twice',
    steps: [
      [30, renew],
      [60, renew],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 90,
    revenue: 29.97,
  },
  {
    name: 'charged a day early',
    steps: [[29, renew]],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 60,
    revenue: 19.98,
  },
  {
    name: 'trial, converted',
    start: { trial: true },
    steps: [[7, renew]],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 37,
    revenue: 9.99,
  },
  {
    name: 'trial, cancelled, over',
    start: { trial: true },
    steps: [
      [3, cancel],
      [8, expire('VOLUNTARY')],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 7,
    revenue: 0,
  },
  {
    name: 'introductory price, then the full one',
    start: { intro: true },
    steps: [[30, renew]],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    revenue: 10.98,
  },
  {
    name: 'cancelled',
    steps: [[10, cancel]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE'],
    status: 'active',
    autoRenewal: 'will_not_renew',
    givesAccess: true,
    endsOnDay: 30,
  },
  {
    name: 'cancelled and taken back',
    steps: [
      [10, cancel],
      [12, uncancel],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 30,
  },
  {
    name: 'cancelled, over, bought again later',
    steps: [
      [10, cancel],
      [30.1, expire('VOLUNTARY')],
      [50, (subscription) => subscription.resubscribe()],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 80,
    revenue: 19.98,
  },
  {
    name: 'in grace',
    steps: [[30.1, fail(16)]],
    events: ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'],
    status: 'in_grace_period',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 46,
  },
  {
    name: 'recovered in grace',
    steps: [
      [30.1, fail(16)],
      [35, renew],
    ],
    events: ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 65,
    revenue: 19.98,
  },
  {
    name: 'grace over, in retry',
    steps: [
      [30.1, fail(16)],
      [46.1, (subscription) => subscription.endGrace()],
    ],
    events: ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
    status: 'in_billing_retry',
    autoRenewal: 'will_renew',
    givesAccess: false,
    endsOnDay: 46,
  },
  {
    name: 'not paid, without grace',
    steps: [[30.1, fail(0)]],
    events: ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
    status: 'in_billing_retry',
    autoRenewal: 'will_renew',
    givesAccess: false,
    endsOnDay: 30,
  },
  {
    name: 'recovered after access was lost',
    steps: [
      [30.1, fail(0)],
      [40, renew],
    ],
    events: [
      'INITIAL_PURCHASE',
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
      'EXPIRATION/BILLING_ERROR',
      'RENEWAL',
    ],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 70,
    revenue: 19.98,
  },
  {
    name: 'given up after sixty days',
    steps: [
      [30.1, fail(0)],
      [90, expire('BILLING_RETRY')],
    ],
    events: ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 30,
  },
  {
    name: 'refunded',
    steps: [[5, (subscription) => subscription.refund()]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 5,
    revenue: 0,
  },
  {
    name: 'refunded in part, access ended',
    steps: [
      [
        5,
        (subscription) =>
          subscription.refund(undefined, { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }),
      ],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 5,
    revenue: 5,
  },
  {
    name: 'refund reversed',
    steps: [
      [5, (subscription) => subscription.refund()],
      [8, (subscription) => subscription.reverseRefund()],
    ],
    events: [
      'INITIAL_PURCHASE',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
      'REFUND_REVERSED',
    ],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'an older period refunded: only money',
    steps: [
      [30, renew],
      [35, (subscription) => subscription.refund(subscription.transactions[0])],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 60,
    revenue: 9.99,
  },
  {
    name: 'refund asked for and declined',
    steps: [
      [5, (subscription) => subscription.askConsumption()],
      [6, (subscription) => subscription.declineRefund()],
    ],
    events: ['INITIAL_PURCHASE'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'shared in the family, and no more',
    account: { isFamilyMember: true },
    steps: [[5, (subscription) => subscription.revokeFamily()]],
    events: ['INITIAL_PURCHASE', 'EXPIRATION/UNKNOWN'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 5,
    revenue: 0,
  },
  {
    name: 'upgraded at once',
    steps: [[10, (subscription) => subscription.upgrade(yearly)]],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 375,
    revenue: 89.98,
  },
  {
    name: 'another product from the next period on',
    steps: [[10, (subscription) => subscription.downgrade(yearly)]],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
    status: 'active',
    autoRenewal: 'will_change_product',
    givesAccess: true,
    endsOnDay: 30,
  },
  {
    name: 'another product, renewed into it',
    steps: [
      [10, (subscription) => subscription.downgrade(yearly)],
      [30, renew],
    ],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 395,
    revenue: 89.98,
  },
  {
    name: 'another product, taken back',
    steps: [
      [10, (subscription) => subscription.downgrade(yearly)],
      [12, (subscription) => subscription.keepProduct()],
    ],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 30,
  },
  {
    name: 'extended',
    steps: [[10, (subscription) => subscription.extend(14)]],
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 44,
  },
  {
    name: 'asked to pay more, and agreed',
    steps: [
      [10, (subscription) => subscription.askForConsent()],
      [12, (subscription) => subscription.consent()],
    ],
    events: ['INITIAL_PURCHASE', 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
    status: 'active',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 30,
  },
  {
    name: 'asked to pay more, and did not answer',
    steps: [
      [10, (subscription) => subscription.askForConsent()],
      [30.1, expire('PRICE_INCREASE')],
    ],
    events: [
      'INITIAL_PURCHASE',
      'PRICE_INCREASE_CONSENT_REQUIRED',
      'CANCELLATION/PRICE_INCREASE',
      'EXPIRATION/PRICE_INCREASE',
    ],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 30,
  },
  {
    name: 'the product is not for sale any more',
    steps: [[30.1, expire('PRODUCT_NOT_FOR_SALE')]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'],
    status: 'expired',
    autoRenewal: 'will_not_renew',
    givesAccess: false,
    endsOnDay: 30,
  },
];

/** A deterministic shuffle with repetitions. */
function disordered<T>(items: T[], seed: number): T[] {
  const all = [...items, ...items.slice(0, 2)];
  let state = seed;
  for (let index = all.length - 1; index > 0; index--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

describe('lives of subscriptions in the App Store', () => {
  let world: AppStoreWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startAppStoreWorld();
  });
  afterAll(() => world.close());

  const begin = (life: Life) => {
    const startMs = world.clock.nowMs();
    const subscription = world.store.subscribe(
      world.store.account('Production', life.account),
      monthly,
      life.start,
    );
    return { startMs, subscription, user: `life-${++count}`, jws: subscription.signed() };
  };
  const moveTo = (startMs: number, day: number): void => {
    world.clock.advanceMs(Math.round(startMs + day * DAY_MS - world.clock.nowMs()));
  };
  const stateOf = async (user: string, startMs: number) => {
    const row = await world.subscription(user);
    return {
      status: row.status,
      autoRenewal: row.auto_renewal_status,
      givesAccess: row.gives_access,
      endsOnDay: (row.ends_at - startMs) / DAY_MS,
      revenue: row.total_revenue_in_usd.gross,
    };
  };

  it.each(lives)('$name', async (life) => {
    const { startMs, subscription, user, jws } = begin(life);
    await world.post(user, jws);
    for (const [day, happens] of life.steps) {
      moveTo(startMs, day);
      expect((await world.notify(happens(subscription))).status).toBe(200);
    }
    const { status, autoRenewal, givesAccess, endsOnDay, revenue } = life;
    const state = await stateOf(user, startMs);
    expect(state).toMatchObject({ status, autoRenewal, givesAccess });
    if (endsOnDay !== undefined) expect(state.endsOnDay).toBeCloseTo(endsOnDay, 3);
    if (revenue !== undefined) expect(state.revenue).toBeCloseTo(revenue, 2);
    expect(await world.events(user)).toEqual(life.events);
    const info = await world.sdk.get(`/v1/subscribers/${user}`);
    const { expires_date: expires } = info.body.subscriber.entitlements.pro;
    expect(Date.parse(expires) > world.clock.nowMs()).toBe(givesAccess);
  });

  it.each(lives)(
    '$name: the same in the end, in whatever order the news comes, and however often',
    async (life) => {
      const { startMs, subscription, user, jws } = begin(life);
      const sent = life.steps.map(([day, happens]) => {
        moveTo(startMs, day);
        return happens(subscription);
      });
      await world.post(user, jws);
      for (const notification of disordered(sent, count)) await world.notify(notification);
      const { status, autoRenewal, givesAccess } = life;
      const state = await stateOf(user, startMs);
      expect(state).toMatchObject({ status, autoRenewal, givesAccess });
      if (life.endsOnDay !== undefined) expect(state.endsOnDay).toBeCloseTo(life.endsOnDay, 3);
      if (life.revenue !== undefined) expect(state.revenue).toBeCloseTo(life.revenue, 2);
      const told = await world.events(user);
      expect(told.filter((type) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
      expect(told.filter((type) => type === 'RENEWAL')).toHaveLength(
        life.events.filter((type) => type === 'RENEWAL').length,
      );
    },
  );

  it.each(lives)(
    '$name: the same for who is seen for the first time in the end, with the key',
    async (life) => {
      await world.configure(world.keyFields);
      const { startMs, subscription, user } = begin(life);
      for (const [day, happens] of life.steps) {
        moveTo(startMs, day);
        happens(subscription);
      }
      await world.post(user, subscription.signed());
      const { status, autoRenewal, givesAccess, revenue } = life;
      const state = await stateOf(user, startMs);
      expect(state).toMatchObject({ status, autoRenewal, givesAccess });
      if (revenue !== undefined) expect(state.revenue).toBeCloseTo(revenue, 2);
      expect((await world.events(user))[0]).toBe('INITIAL_PURCHASE');
    },
  );

  it('a refund takes back the unused share of what came with the period, however often it is told', async () => {
    const grant = { product_ids: [world.products.monthly.id], amount: 90 };
    const currency = { code: 'GEMS', name: 'Gems', product_grants: [grant] };
    expect((await world.backend.post(`${world.path}/virtual_currencies`, currency)).status).toBe(201);
    const { startMs, subscription, user, jws } = begin(lives[0] as Life);
    await world.post(user, jws);
    moveTo(startMs, 10);
    const refund = subscription.refund();
    for (let n = 0; n < 3; n++) await world.notify(refund);
    const { body } = await world.sdk.get(`/v1/subscribers/${user}/virtual_currencies`);
    expect(body.virtual_currencies.GEMS.balance).toBe(30);
    const told = (await world.events(user)).filter((type) => type === 'VIRTUAL_CURRENCY_TRANSACTION');
    expect(told).toHaveLength(2);
    await world.backend.delete(`${world.path}/virtual_currencies/GEMS`);
  });

  it('the commission is lower once a year was paid for, in ledger, totals and events', async () => {
    const { startMs, subscription, user, jws } = begin(lives[0] as Life);
    await world.post(user, jws);
    for (let month = 1; month <= 13; month++) {
      moveTo(startMs, month * 30);
      await world.notify(subscription.renew());
    }
    const { body } = await world.backend.get(`${world.path}/customers/${user}/events?limit=100`);
    const shares = body.items.reverse().map((event: { body: object }) => event.body);
    // The period that begins on day 360 is still of the first year.
    expect(shares.slice(0, 13)).toEqual(
      Array(13).fill(expect.objectContaining({ commission_percentage: 0.3, takehome_percentage: 0.7 })),
    );
    expect(shares[13]).toMatchObject({ commission_percentage: 0.15, takehome_percentage: 0.85 });
    const { total_revenue_in_usd: total } = await world.subscription(user);
    expect(total.commission).toBeCloseTo(9.99 * (13 * 0.3 + 0.15), 1);
  });
});
