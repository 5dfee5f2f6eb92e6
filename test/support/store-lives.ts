import type { StoreWorld } from './arrange-store-app.js';

const DAY_MS = 86_400_000;

/** What can happen to a subscription in any store. A month is 30 days, a year 365, a trial 7. */
export type Happening =
  | 'renew'
  | 'cancel'
  | 'uncancel'
  /** The charge fails; the store tries for 16 more days and gives access meanwhile. */
  | 'failWithGrace'
  | 'failWithoutGrace'
  | 'endGrace'
  | 'recover'
  | 'expireVoluntarily'
  | 'expireUnpaid'
  | 'refund'
  | 'reverseRefund'
  | 'refundFirstPeriod'
  | 'upgrade'
  | 'planNextProduct'
  | 'keepProduct';

export interface StoreLife {
  name: string;
  trial?: boolean;
  steps: [day: number, happening: Happening][];
  /** All events, INITIAL_PURCHASE first. */
  events: string[];
  /** State at the end, on the day of the last step. */
  status: string;
  autoRenewal: 'will_renew' | 'will_not_renew' | 'will_change_product';
  givesAccess: boolean;
  /** End of access in days; undefined: stores count differently. */
  endsOnDay?: number;
  /** Gross revenue in periods of the monthly product; only of stores that tell prices. */
  monthsPaid?: number;
}

const active = { status: 'active', autoRenewal: 'will_renew', givesAccess: true } as const;
const over = { status: 'expired', autoRenewal: 'will_not_renew', givesAccess: false } as const;
const inRetry = { status: 'in_billing_retry', autoRenewal: 'will_renew', givesAccess: false } as const;
const failed = ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];

/** One table for all stores: the same life ends in the same state, wherever it was lived. */
export const storeLives: StoreLife[] = [
  {
    name: 'bought and renewed twice',
    steps: [
      [30, 'renew'],
      [60, 'renew'],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'],
    ...active,
    endsOnDay: 90,
    monthsPaid: 3,
  },
  {
    name: 'trial, converted',
    trial: true,
    steps: [[7, 'renew']],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    ...active,
    endsOnDay: 37,
    monthsPaid: 1,
  },
  {
    name: 'trial, cancelled, over',
    trial: true,
    steps: [
      [3, 'cancel'],
      [7.001, 'expireVoluntarily'],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    ...over,
    endsOnDay: 7,
    monthsPaid: 0,
  },
  {
    name: 'cancelled',
    steps: [[10, 'cancel']],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE'],
    ...active,
    autoRenewal: 'will_not_renew',
    endsOnDay: 30,
  },
  {
    name: 'cancelled and taken back',
    steps: [
      [10, 'cancel'],
      [12, 'uncancel'],
    ],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION'],
    ...active,
    endsOnDay: 30,
  },
  {
    name: 'in grace',
    steps: [[30.1, 'failWithGrace']],
    events: failed,
    status: 'in_grace_period',
    autoRenewal: 'will_renew',
    givesAccess: true,
    endsOnDay: 46,
  },
  {
    name: 'recovered in grace',
    steps: [
      [30.1, 'failWithGrace'],
      [35, 'recover'],
    ],
    events: [...failed, 'RENEWAL'],
    ...active,
    monthsPaid: 2,
  },
  {
    name: 'grace over, in retry',
    steps: [
      [30.1, 'failWithGrace'],
      [46.1, 'endGrace'],
    ],
    events: [...failed, 'EXPIRATION/BILLING_ERROR'],
    ...inRetry,
    endsOnDay: 46,
  },
  {
    name: 'not paid, without grace',
    steps: [[30.1, 'failWithoutGrace']],
    events: [...failed, 'EXPIRATION/BILLING_ERROR'],
    ...inRetry,
    endsOnDay: 30,
  },
  {
    name: 'recovered after access was lost',
    steps: [
      [30.1, 'failWithoutGrace'],
      [40, 'recover'],
    ],
    events: [...failed, 'EXPIRATION/BILLING_ERROR', 'RENEWAL'],
    ...active,
    monthsPaid: 2,
  },
  {
    name: 'given up in the end',
    steps: [
      [30.1, 'failWithoutGrace'],
      [55, 'expireUnpaid'],
    ],
    events: [...failed, 'EXPIRATION/BILLING_ERROR'],
    ...over,
    endsOnDay: 30,
  },
  {
    name: 'grace, then given up',
    steps: [
      [30.1, 'failWithGrace'],
      [46.1, 'expireUnpaid'],
    ],
    events: [...failed, 'EXPIRATION/BILLING_ERROR'],
    ...over,
    endsOnDay: 46,
  },
  {
    name: 'refunded',
    steps: [[5, 'refund']],
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
    ...over,
    endsOnDay: 5,
    monthsPaid: 0,
  },
  {
    name: 'refund reversed',
    steps: [
      [5, 'refund'],
      [8, 'reverseRefund'],
    ],
    events: [
      'INITIAL_PURCHASE',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
      'REFUND_REVERSED',
    ],
    ...active,
    endsOnDay: 30,
    monthsPaid: 1,
  },
  {
    name: 'an older period refunded: only money',
    steps: [
      [30, 'renew'],
      [35, 'refundFirstPeriod'],
    ],
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
    ...active,
    endsOnDay: 60,
    monthsPaid: 1,
  },
  {
    name: 'upgraded at once',
    steps: [[10, 'upgrade']],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'],
    ...active,
    endsOnDay: 375,
  },
  {
    name: 'another product from the next period on',
    steps: [[10, 'planNextProduct']],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
    ...active,
    autoRenewal: 'will_change_product',
    endsOnDay: 30,
  },
  {
    name: 'another product, taken back',
    steps: [
      [10, 'planNextProduct'],
      [12, 'keepProduct'],
    ],
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
    ...active,
    endsOnDay: 30,
  },
];

/** A store that lives lives: begins one, and makes things happen to it, giving the notification that it sends. */
export interface LifeDriver<Life, Sent> {
  begin(trial: boolean): Life;
  /** What an app posts. */
  receipt(life: Life): { fetchToken: string; more?: object };
  happenings: Partial<Record<Happening, (life: Life) => Sent>>;
  notify(sent: Sent): Promise<{ status: number }>;
  /** Price of a month in USD; null: the store tells none. */
  monthly: number | null;
}

/** Names of the lives that a store cannot live. */
export function unlivable(driver: LifeDriver<never, unknown>): string[] {
  return storeLives
    .filter(({ steps }) => steps.some(([, happening]) => !driver.happenings[happening]))
    .map(({ name }) => name);
}

/** Lives a life: all of it told as it happens, or first seen when it was lived. */
export async function live<Life, Sent>(
  world: StoreWorld,
  driver: LifeDriver<Life, Sent>,
  { steps, trial = false }: StoreLife,
  appUserId: string,
  told: 'as it happens' | 'in the end' | 'backwards',
): Promise<{ startMs: number }> {
  const startMs = world.clock.nowMs();
  const life = driver.begin(trial);
  const { fetchToken, more } = driver.receipt(life);
  const post = async (): Promise<void> => {
    const { status, text } = await world.post(appUserId, fetchToken, more);
    if (status !== 200) throw new Error(text);
  };
  if (told !== 'in the end') await post();
  const sent: Sent[] = [];
  for (const [day, happening] of steps) {
    world.clock.advanceMs(Math.round(startMs + day * DAY_MS - world.clock.nowMs()));
    const notification = driver.happenings[happening]?.(life);
    if (notification === undefined) throw new Error(`${happening} cannot happen`);
    if (told === 'as it happens') expect((await driver.notify(notification)).status).toBe(200);
    sent.push(notification);
  }
  if (told === 'in the end') await post();
  if (told === 'backwards') for (const late of sent.reverse()) await driver.notify(late);
  return { startMs };
}

/** What is compared of the end of a life. */
export async function stateOf(world: StoreWorld, appUserId: string, startMs: number) {
  const row = await world.subscription(appUserId);
  return {
    status: row.status as string,
    autoRenewal: row.auto_renewal_status as string,
    givesAccess: row.gives_access as boolean,
    endsOnDay: ((row.ends_at as number) - startMs) / DAY_MS,
    revenue: row.total_revenue_in_usd.gross as number,
  };
}

/** Runs the table through a store. */
export function testLives<Life, Sent>(
  worldOf: () => StoreWorld,
  driverOf: () => LifeDriver<Life, Sent>,
  lost: string[],
): void {
  const livable = storeLives.filter(({ name }) => !lost.includes(name));
  let count = 0;

  const expectEnd = async (life: StoreLife, user: string, startMs: number): Promise<void> => {
    const { status, autoRenewal, givesAccess, endsOnDay, monthsPaid } = life;
    const state = await stateOf(worldOf(), user, startMs);
    expect(state).toMatchObject({ status, autoRenewal, givesAccess });
    if (endsOnDay !== undefined) expect(state.endsOnDay).toBeCloseTo(endsOnDay, 3);
    const { monthly } = driverOf();
    if (monthsPaid !== undefined && monthly !== null)
      expect(state.revenue).toBeCloseTo(monthsPaid * monthly, 2);
  };

  it('lists what it cannot do', () => {
    expect(unlivable(driverOf() as LifeDriver<never, unknown>)).toEqual(lost);
  });

  it.each(livable)('$name', async (life) => {
    const user = `life-${++count}`;
    const { startMs } = await live(worldOf(), driverOf(), life, user, 'as it happens');
    await expectEnd(life, user, startMs);
    expect(await worldOf().events(user)).toEqual(life.events);
    const info = await worldOf().sdk.get(`/v1/subscribers/${user}`);
    const { expires_date: expires } = info.body.subscriber.entitlements.pro;
    expect(Date.parse(expires) > worldOf().clock.nowMs()).toBe(life.givesAccess);
  });

  it.each(livable)('$name: the same when all notifications are late and come backwards', async (life) => {
    const user = `life-${++count}`;
    const { startMs } = await live(worldOf(), driverOf(), life, user, 'backwards');
    await expectEnd({ ...life, endsOnDay: undefined }, user, startMs);
    const told = await worldOf().events(user);
    for (const type of ['INITIAL_PURCHASE', 'RENEWAL']) {
      expect(told.filter((event) => event === type)).toHaveLength(
        life.events.filter((event) => event === type).length,
      );
    }
  });

  it.each(livable)('$name: the same for who is seen for the first time in the end', async (life) => {
    const user = `life-${++count}`;
    const { startMs } = await live(worldOf(), driverOf(), life, user, 'in the end');
    await expectEnd({ ...life, endsOnDay: undefined }, user, startMs);
    expect((await worldOf().events(user))[0]).toBe('INITIAL_PURCHASE');
  });
}
