import type { Json } from '../api-client.js';
import type { OneTimeDriver, OneTimeEnd, OneTimeHappening, OneTimeLife } from './one-time-life.js';
import { oneTimeLives } from './one-time-lives.js';
import { DAY_MS, disordered, type LifeWorld } from './test-lives.js';

/** As for subscriptions, and: all news come before an app has posted anything. */
type Recorded = 'as it happens' | 'before the receipt' | 'in disorder' | 'in the end';

const inTheApp = new Set<OneTimeHappening>(['buyCoins', 'buyLifetime', 'pay']);
const SECOND_MS = 1_000;

let count = 0;

async function productNames({ backend, path }: LifeWorld): Promise<Map<string, string>> {
  const { body } = await backend.get(`${path}/products?limit=100`);
  return new Map((body.items as Json[]).map(({ id, store_identifier: name }) => [id, name]));
}

/** Has coins credit a currency; gives how to undo that. */
async function currencyOf(world: LifeWorld, coins: string): Promise<() => Promise<unknown>> {
  const [productId] = [...(await productNames(world))].find(([, name]) => name === coins) ?? [];
  const body = { code: 'LIFE', name: 'Gems', product_grants: [{ product_ids: [productId], amount: 100 }] };
  expect((await world.backend.post(`${world.path}/virtual_currencies`, body)).status).toBe(201);
  return () => world.backend.delete(`${world.path}/virtual_currencies/LIFE`);
}

async function endOf<Life, Sent>(
  world: LifeWorld,
  { coins, lifetime }: OneTimeDriver<Life, Sent>,
  user: string,
): Promise<OneTimeEnd> {
  const { body: info } = await world.sdk.get(`/v1/subscribers/${user}`);
  const names = await productNames(world);
  const { body: list } = await world.backend.get(`${world.path}/customers/${user}/purchases`);
  const rows = (list.items as Json[]).sort((a, b) => a.purchased_at - b.purchased_at);
  const shortNames: Record<string, string> = { [coins]: 'coins', [lifetime]: 'lifetime' };
  const shown = Object.values(info.subscriber.non_subscriptions as Record<string, Json[]>).flat();
  expect(shown).toHaveLength(rows.filter(({ status }) => status === 'owned').length);
  const { body: wallet } = await world.sdk.get(`/v1/subscribers/${user}/virtual_currencies`);
  const gross = rows.reduce((sum, { revenue_in_usd: usd }) => sum + (usd.gross as number), 0);
  return {
    purchases: rows.map(
      ({ quantity, product_id: id, status }) => `${quantity} ${shortNames[names.get(id) ?? '']}, ${status}`,
    ),
    unlocked: info.subscriber.entitlements.pro?.expires_date === null,
    gems: wallet.virtual_currencies.LIFE?.balance ?? 0,
    gross: Math.round(gross * 100) / 100 + 0,
    events: (await world.events(user)).filter((type) => type !== 'VIRTUAL_CURRENCY_TRANSACTION'),
  };
}

/** Runs one scenario and returns its customer. At the end the app posts its receipt once more. */
async function live<Life, Sent>(
  world: LifeWorld,
  driver: OneTimeDriver<Life, Sent>,
  { start, steps, answer }: OneTimeLife,
  delivered: Recorded,
): Promise<string> {
  const { clock } = world;
  const user = `buyer-of-life-${++count}`;
  const startMs = clock.nowMs();
  const life = driver.starts[start]?.();
  if (life === undefined) throw new Error(`nothing starts ${start}`);
  const post = async (status: number): Promise<void> => {
    clock.advanceMs(SECOND_MS);
    const statuses = await driver.post(life, user);
    expect(statuses).toEqual(statuses.map(() => status));
  };
  if (delivered === 'as it happens' || delivered === 'in disorder')
    await post(start === 'pending' ? 503 : 200);
  const sent: Sent[] = [];
  for (const [day, happening] of steps) {
    clock.advanceMs(Math.max(0, startMs + day * DAY_MS - clock.nowMs()));
    const news = await driver.happenings[happening]?.(life);
    if (news === undefined) throw new Error(`${happening} cannot happen`);
    if (delivered === 'as it happens' && inTheApp.has(happening)) await post(200);
    if (delivered === 'as it happens' || delivered === 'before the receipt') await driver.deliver(news);
    sent.push(news);
  }
  if (delivered === 'in disorder') for (const late of disordered(sent, count)) await driver.deliver(late);
  const before = delivered === 'as it happens' ? await endOf(world, driver, user) : null;
  await post(answer?.[driver.store] ?? 200);
  if (before) expect(await endOf(world, driver, user)).toEqual(before);
  return user;
}

/** Runs the table of one-time purchases through a store. `told` says in which ways; all by default. */
export function testOneTimeLives<Life, Sent>(
  worldOf: () => LifeWorld,
  driver: OneTimeDriver<Life, Sent>,
  {
    delivered = ['as it happens', 'before the receipt', 'in disorder', 'in the end'],
  }: { delivered?: Recorded[] } = {},
): void {
  const { store, starts, happenings } = driver;
  const lives = oneTimeLives.filter(({ not }) => not?.[store] === undefined);

  describe('one-time purchases', () => {
    let forget: () => Promise<unknown>;

    beforeAll(async () => {
      forget = await currencyOf(worldOf(), driver.coins);
    });
    afterAll(() => forget());

    it('lists all lives that the store has not', () => {
      const impossible = oneTimeLives.filter(
        ({ start, steps }) =>
          !starts[start] || steps.some(([, happening]) => happenings[happening] === undefined),
      );
      expect(lives.filter((life) => impossible.includes(life))).toEqual([]);
      const unused = Object.keys(happenings).filter(
        (happening) => !lives.some(({ steps }) => steps.some(([, used]) => used === happening)),
      );
      expect(unused).toEqual([]);
    });

    describe.each(delivered)('told %s', (way) => {
      it.each(lives)('$name', async (life) => {
        const user = await live(worldOf(), driver, life, way);
        const { purchases, unlocked, gems, gross, events } = life;
        const end = await endOf(worldOf(), driver, user);
        expect({ ...end, events: [] }).toEqual({ purchases, unlocked, gems, gross, events: [] });
        // A late receipt does not report what was taken back before.
        const all = (list: string[]): string[] =>
          way === 'as it happens' ? list : list.filter((type) => type === 'NON_RENEWING_PURCHASE');
        expect(all(end.events)).toEqual(all(events));
      });
    });
  });
}
