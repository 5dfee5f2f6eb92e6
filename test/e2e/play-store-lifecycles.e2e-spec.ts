import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { googleError } from '../support/fake-play/fake-play-server.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import type {
  FakePlaySubscription,
  PlaySubscriptionOptions,
} from '../support/fake-play/fake-play-subscription.js';

const DAY_MS = 86_400_000;
const { monthly } = playProducts;

/** What happens to a subscription that was bought on day 0: on which day; gives the types of what Google sends. */
type Step = [day: number, happens: (subscription: FakePlaySubscription) => number[]];

interface Life {
  name: string;
  start?: PlaySubscriptionOptions;
  steps: Step[];
  /** All events, INITIAL_PURCHASE first. */
  events: string[];
  /** State at the end, on the day of the last step. */
  status: string;
  autoRenewal: 'will_renew' | 'will_not_renew' | 'will_pause';
  givesAccess: boolean;
  endsOnDay: number;
  /** Gross revenue in USD. */
  revenue: number;
  /** The same where grace was never seen: in the end Google shows nothing of it. */
  unseenEndsOnDay?: number;
  /** Nothing that Google answers shows it: only the notification does. */
  onlyTold?: true;
}

const renew: Step[1] = (subscription) => subscription.renew();
const cancel: Step[1] = (subscription) => subscription.cancel();
const expire: Step[1] = (subscription) => subscription.expire();
const hold: Step[1] = (subscription) => subscription.hold();
const recover: Step[1] = (subscription) => subscription.recover();
const schedulePause: Step[1] = (subscription) => subscription.schedulePause();
const fail =
  (graceDays: number): Step[1] =>
  (subscription) =>
    subscription.fail(graceDays);

const trouble = ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];
const active = { status: 'active', autoRenewal: 'will_renew', givesAccess: true } as const;
const over = { status: 'expired', autoRenewal: 'will_not_renew', givesAccess: false } as const;

/** A month is 30 days here, a trial 7. */
const lives: Life[] = [
  {
    name: 'bought and renewed twice',
    steps: [
      [30, renew],
      [60, renew],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'],
    ...active,
    endsOnDay: 90,
    revenue: 29.97,
  },
  {
    name: 'trial, converted',
    start: { trial: true },
    steps: [[7, renew]],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    ...active,
    endsOnDay: 37,
    revenue: 9.99,
  },
  {
    name: 'trial, cancelled, over',
    start: { trial: true },
    steps: [
      [3, cancel],
      [8, expire],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    ...over,
    endsOnDay: 7,
    revenue: 0,
  },
  {
    name: 'introductory price, then the full one',
    start: { intro: true },
    steps: [[30, renew]],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    ...active,
    endsOnDay: 60,
    revenue: 10.98,
  },
  {
    name: 'prepaid, over',
    start: { prepaid: true },
    steps: [[30.1, expire]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    ...over,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'cancelled',
    steps: [[10, cancel]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE'],
    status: 'active',
    autoRenewal: 'will_not_renew',
    givesAccess: true,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'cancelled and taken back',
    steps: [
      [10, cancel],
      [12, (subscription) => subscription.restart()],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION'],
    ...active,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'cancelled by the developer, over',
    steps: [
      [10, (subscription) => subscription.cancel('developer')],
      [30.1, expire],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/DEVELOPER_INITIATED', 'EXPIRATION/DEVELOPER_INITIATED'],
    ...over,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'in grace',
    steps: [[30.1, fail(7)]],
    events: trouble,
    status: 'in_grace_period',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 37,
    revenue: 9.99,
  },
  {
    name: 'recovered in grace',
    steps: [
      [30.1, fail(7)],
      [33, recover],
    ],
    events: [...trouble, 'RENEWAL'],
    ...active,
    endsOnDay: 60,
    revenue: 19.98,
  },
  {
    name: 'grace over, on hold',
    steps: [
      [30.1, fail(7)],
      [37.1, hold],
    ],
    events: [...trouble, 'EXPIRATION/BILLING_ERROR'],
    status: 'in_billing_retry',
    autoRenewal: 'will_renew',
    givesAccess: false,
    endsOnDay: 37,
    revenue: 9.99,
  },
  {
    name: 'on hold without grace',
    steps: [[30.1, fail(0)]],
    events: [...trouble, 'EXPIRATION/BILLING_ERROR'],
    status: 'in_billing_retry',
    autoRenewal: 'will_renew',
    givesAccess: false,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'recovered after a hold',
    steps: [
      [30.1, fail(0)],
      [40, recover],
    ],
    events: [...trouble, 'EXPIRATION/BILLING_ERROR', 'RENEWAL'],
    ...active,
    endsOnDay: 70,
    revenue: 19.98,
  },
  {
    name: 'given up after a hold: what Google shows as its end gives no access back',
    steps: [
      [30.1, fail(7)],
      [37.1, hold],
      [67, expire],
    ],
    events: [...trouble, 'EXPIRATION/BILLING_ERROR'],
    ...over,
    endsOnDay: 37,
    unseenEndsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'given up by the customer in grace',
    steps: [
      [30.1, fail(7)],
      [32, (subscription) => subscription.cancelInGrace()],
    ],
    events: [...trouble, 'EXPIRATION/UNSUBSCRIBE'],
    ...over,
    endsOnDay: 32,
    unseenEndsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'a pause ahead',
    steps: [[10, schedulePause]],
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED'],
    status: 'active',
    autoRenewal: 'will_pause',
    givesAccess: true,
    endsOnDay: 30,
    revenue: 9.99,
    onlyTold: true,
  },
  {
    name: 'paused',
    steps: [
      [10, schedulePause],
      [30.1, (subscription) => subscription.pause(20)],
    ],
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED'],
    status: 'paused',
    autoRenewal: 'will_renew',
    givesAccess: false,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'paused and resumed',
    steps: [
      [10, schedulePause],
      [30.1, (subscription) => subscription.pause(20)],
      [50, (subscription) => subscription.resume()],
    ],
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED', 'EXPIRATION/SUBSCRIPTION_PAUSED', 'RENEWAL'],
    ...active,
    endsOnDay: 80,
    revenue: 19.98,
  },
  {
    name: 'refunded and revoked',
    steps: [[5, (subscription) => subscription.revoke()]],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    ...over,
    endsOnDay: 5,
    revenue: 0,
  },
  {
    name: 'renewed, then refunded and revoked: only the latest period',
    steps: [
      [30, renew],
      [35, (subscription) => subscription.revoke()],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    ...over,
    endsOnDay: 35,
    revenue: 9.99,
  },
  {
    name: 'deferred',
    steps: [[10, (subscription) => subscription.defer(14 * DAY_MS)]],
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED'],
    ...active,
    endsOnDay: 44,
    revenue: 9.99,
  },
  {
    name: 'asked to pay more, and agreed',
    steps: [
      [10, (subscription) => subscription.changePrice('OUTSTANDING')],
      [12, (subscription) => subscription.changePrice('CONFIRMED')],
    ],
    events: ['INITIAL_PURCHASE', 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
    ...active,
    endsOnDay: 30,
    revenue: 9.99,
  },
  {
    name: 'asked to pay more, and did not answer',
    steps: [
      [10, (subscription) => subscription.changePrice('OUTSTANDING')],
      [30.1, (subscription) => subscription.endForPrice()],
    ],
    events: [
      'INITIAL_PURCHASE',
      'PRICE_INCREASE_CONSENT_REQUIRED',
      'CANCELLATION/PRICE_INCREASE',
      'EXPIRATION/PRICE_INCREASE',
    ],
    ...over,
    endsOnDay: 30,
    revenue: 9.99,
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

describe('lives of subscriptions in Google Play', () => {
  let world: PlayWorld;
  let count = 0;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  afterEach(() => {
    world.google.interfere = () => undefined;
  });
  afterAll(() => world.close());

  const begin = ({ start }: Life) => {
    const startMs = world.clock.nowMs();
    return { startMs, subscription: world.play.subscribe(monthly, start), user: `life-${++count}` };
  };
  const moveTo = (startMs: number, day: number): void => {
    world.clock.advanceMs(Math.round(startMs + day * DAY_MS - world.clock.nowMs()));
  };
  const stateOf = async (user: string, startMs: number) => {
    const [row] = await world.subscriptions(user);
    return {
      status: row.status,
      autoRenewal: row.auto_renewal_status,
      givesAccess: row.gives_access,
      endsOnDay: (row.ends_at - startMs) / DAY_MS,
      revenue: row.total_revenue_in_usd.gross,
    };
  };
  const expectEnd = async (
    life: Life,
    user: string,
    startMs: number,
    endsOnDay = life.endsOnDay,
  ): Promise<void> => {
    const { status, autoRenewal, givesAccess } = life;
    const state = await stateOf(user, startMs);
    expect(state).toMatchObject({ status, autoRenewal, givesAccess });
    expect(state.endsOnDay).toBeCloseTo(endsOnDay, 3);
    expect(state.revenue).toBeCloseTo(life.revenue, 2);
  };

  it.each(lives)('$name', async (life) => {
    const { startMs, subscription, user } = begin(life);
    expect((await world.post(user, subscription.token)).status).toBe(200);
    for (const [day, happens] of life.steps) {
      moveTo(startMs, day);
      for (const type of happens(subscription)) {
        expect((await world.notify(subscription.token, type)).status).toBe(200);
        world.clock.advanceMs(1_000);
      }
    }
    await expectEnd(life, user, startMs);
    expect(await world.events(user)).toEqual(life.events);
    const info = await world.sdk.get(`/v1/subscribers/${user}`);
    const { expires_date: expires, product_plan_identifier: plan } = info.body.subscriber.entitlements.pro;
    expect([Date.parse(expires) > world.clock.nowMs(), plan]).toEqual([life.givesAccess, 'monthly']);
  });

  it.each(lives.filter(({ onlyTold }) => !onlyTold))(
    '$name: the same in the end, in whatever order the news comes, and however often',
    async (life) => {
      const { startMs, subscription, user } = begin(life);
      await world.post(user, subscription.token);
      const sent: [number, number][] = [];
      for (const [day, happens] of life.steps) {
        moveTo(startMs, day);
        sent.push(...happens(subscription).map((type): [number, number] => [type, world.clock.nowMs()]));
      }
      for (const [type, atMs] of disordered(sent, count)) {
        await world.notify(subscription.token, type, atMs);
        world.clock.advanceMs(500);
      }
      await expectEnd(life, user, startMs, life.unseenEndsOnDay);
      const told = await world.events(user);
      for (const type of ['INITIAL_PURCHASE', 'RENEWAL']) {
        expect(told.filter((one) => one === type)).toHaveLength(
          life.events.filter((one) => one === type).length,
        );
      }
    },
  );

  it.each(lives.filter(({ onlyTold }) => !onlyTold))(
    '$name: the same for who is seen for the first time in the end',
    async (life) => {
      const { startMs, subscription, user } = begin(life);
      for (const [day, happens] of life.steps) {
        moveTo(startMs, day);
        happens(subscription);
      }
      expect((await world.post(user, subscription.token)).status).toBe(200);
      await expectEnd(life, user, startMs, life.unseenEndsOnDay);
      expect((await world.events(user))[0]).toBe('INITIAL_PURCHASE');
    },
  );

  it.each(lives)('$name: the same without the permission to read orders', async (life) => {
    world.google.interfere = ({ path }) =>
      path.startsWith('/orders') ? googleError(401, 'permissionDenied') : undefined;
    const { startMs, subscription, user } = begin(life);
    const posted = life.start?.trial ? { price: 0 } : life.start?.intro ? { price: 0.99 } : {};
    await world.post(user, subscription.token, monthly, posted);
    for (const [day, happens] of life.steps) {
      moveTo(startMs, day);
      for (const type of happens(subscription)) {
        await world.notify(subscription.token, type);
        world.clock.advanceMs(1_000);
      }
    }
    await expectEnd(life, user, startMs);
    expect(await world.events(user)).toEqual(life.events);
  });
});
