import type { ManualClock } from '../../../libs/kernel/index.js';
import type { ApiClient, Json } from '../api-client.js';
import type { LifeDriver, LifeEnd, StoreLife } from './life.js';
import { storeLives } from './lives.js';

export const DAY_MS = 86_400_000;

/** Questions to a project with one app. */
export interface LifeWorld {
  clock: ManualClock;
  path: string;
  backend: ApiClient;
  sdk: ApiClient;
  events(appUserId: string): Promise<string[]>;
}

/** Whether the news come as it happens, late, repeated and in disorder, or never, to who only posts in the end. */
type Recorded = 'as it happens' | 'in disorder' | 'in the end';

let count = 0;

/** A deterministic shuffle with repetitions. */
export function disordered<T>(items: T[], seed: number): T[] {
  const all = [...items, ...items.slice(0, 2)];
  let state = seed;
  for (let index = all.length - 1; index > 0; index--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

/** Runs one scenario and returns its customer. */
async function live<Life, Sent>(
  { clock }: LifeWorld,
  driver: LifeDriver<Life, Sent>,
  { start = 'plain', steps }: StoreLife,
  delivered: Recorded,
): Promise<{ user: string; startMs: number }> {
  const user = `life-${++count}`;
  const startMs = clock.nowMs();
  const life = driver.starts[start]?.();
  if (life === undefined) throw new Error(`nothing starts ${start}`);
  const post = async (): Promise<void> => {
    const { status, text } = await driver.post(life, user);
    if (status !== 200) throw new Error(text);
  };
  if (delivered !== 'in the end') await post();
  const sent: Sent[] = [];
  for (const [day, happening] of steps) {
    clock.advanceMs(Math.max(0, Math.round(startMs + day * DAY_MS - clock.nowMs())));
    const news = driver.happenings[happening]?.(life);
    if (news === undefined) throw new Error(`${happening} cannot happen`);
    if (delivered === 'as it happens') await driver.deliver(news, user);
    sent.push(news);
  }
  if (delivered === 'in the end') await post();
  if (delivered === 'in disorder')
    for (const late of disordered(sent, count)) await driver.deliver(late, user);
  return { user, startMs };
}

/** State of a history: of the subscription that gives access, or else of the latest one. */
async function endOf(world: LifeWorld, user: string, startMs: number): Promise<LifeEnd> {
  const list = await world.backend.get(`${world.path}/customers/${user}/subscriptions`);
  const rows: Json[] = list.body.items;
  const giving = rows.filter((row) => row.gives_access);
  expect(giving.length).toBeLessThanOrEqual(1);
  const latest = rows.reduce((a, b) =>
    (b.current_period_starts_at as number) > (a.current_period_starts_at as number) ? b : a,
  );
  const row: Json = giving[0] ?? latest;
  const day = (atMs: number): number => (atMs - startMs) / DAY_MS;
  const gross = rows.reduce((sum, { total_revenue_in_usd: usd }) => sum + (usd.gross as number), 0);
  return {
    status: row.status,
    autoRenewal: row.auto_renewal_status,
    givesAccess: row.gives_access,
    period: [day(row.current_period_starts_at), day(row.current_period_ends_at)],
    endsOnDay: day(row.ends_at),
    events: await world.events(user),
    gross,
  };
}

/** Exact to the minute and the cent. */
function rounded({ status, autoRenewal, givesAccess, period, endsOnDay, gross }: LifeEnd): object {
  const day = (value: number): number => Math.round(value * 200) / 200 + 0;
  const money = gross === null ? null : Math.round(gross * 100) / 100;
  return {
    status,
    autoRenewal,
    givesAccess,
    period: period.map(day),
    endsOnDay: day(endsOnDay),
    gross: money,
  };
}

async function expectEnd(
  world: LifeWorld,
  expected: LifeEnd,
  user: string,
  startMs: number,
): Promise<string[]> {
  const end = await endOf(world, user, startMs);
  const gross = expected.gross === null ? null : end.gross;
  expect(rounded({ ...end, gross })).toEqual(rounded(expected));
  return end.events;
}

/** Runs the table through a store. `told` says in which ways; all by default. */
export function testLives<Life, Sent>(
  worldOf: () => LifeWorld,
  driver: LifeDriver<Life, Sent>,
  { delivered = ['as it happens', 'in disorder', 'in the end'] }: { delivered?: Recorded[] } = {},
): void {
  const { store, starts, happenings } = driver;
  const lives = storeLives.filter(({ not }) => not?.[store] === undefined);

  it('lists all lives that the store has not', () => {
    const impossible = storeLives.filter(
      ({ start = 'plain', steps }) =>
        !starts[start] || steps.some(([, happening]) => happenings[happening] === undefined),
    );
    expect(lives.filter((life) => impossible.includes(life))).toEqual([]);
    // What a store can do is left out only as a whole life, with the reason in the table.
    const unused = Object.keys(happenings).filter(
      (happening) => !lives.some(({ steps }) => steps.some(([, used]) => used === happening)),
    );
    expect(unused).toEqual([]);
  });

  if (delivered.includes('as it happens')) {
    it.each(lives)('$name', async (life) => {
      const { user, startMs } = await live(worldOf(), driver, life, 'as it happens');
      const expected = { ...life, ...life.differs?.[store] };
      const events = await expectEnd(worldOf(), expected, user, startMs);
      expect(events).toEqual(expected.events);
      const info = await worldOf().sdk.get(`/v1/subscribers/${user}`);
      const { expires_date: expires } = info.body.subscriber.entitlements.pro;
      expect(Date.parse(expires) > worldOf().clock.nowMs()).toBe(expected.givesAccess);
    });
  }

  if (delivered.includes('in disorder')) {
    it.each(lives)('$name: the same when all news are late, repeated and in disorder', async (life) => {
      const { user, startMs } = await live(worldOf(), driver, life, 'in disorder');
      const difference = life.differs?.[store];
      const expected = { ...life, ...difference, ...difference?.late };
      const events = await expectEnd(worldOf(), expected, user, startMs);
      for (const type of ['INITIAL_PURCHASE', 'RENEWAL']) {
        const all = (list: string[]): number => list.filter((event) => event === type).length;
        const isUnheard = life.comesBack === true && type === 'RENEWAL' && all(events) === 0;
        expect([type, all(events)]).toEqual([type, isUnheard ? 0 : all(expected.events)]);
      }
    });
  }

  if (delivered.includes('in the end')) {
    it.each(lives)('$name: the same for who is seen for the first time in the end', async (life) => {
      await driver.showHistory?.();
      const { user, startMs } = await live(worldOf(), driver, life, 'in the end');
      const difference = life.differs?.[store];
      const expected = { ...life, ...difference, ...difference?.hideFromPlanner };
      const events = await expectEnd(worldOf(), expected, user, startMs);
      expect(events[0]).toBe('INITIAL_PURCHASE');
    });
  }
}
