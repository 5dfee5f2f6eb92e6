import { sellOnce, sellSubscription, type SoldPeriod } from './sales.js';
import { createSecretKey, signUp } from './arrange.js';
import type { ApiClient } from './api-client.js';
import type { TestServer } from './test-server.js';

const usd = (amount: number): number => Math.round(amount * 1_000_000);
const APP_STORE_BPS = 3_000;
const PLAY_BPS = 1_500;

/** 10:00 UTC of a day of 2026. */
export const moment = (day: string): number => Date.parse(`2026-${day}T10:00:00Z`);

export interface ChartsWorld {
  projectId: string;
  path: string;
  client: ApiClient;
  session: ApiClient;
  key: string;
  appId: string;
  playAppId: string;
  /** Product ids by store identifier. */
  products: Record<string, string>;
}

/** A project with the products of the fixture of the charts. */
export async function createChartsProject(server: TestServer): Promise<ChartsWorld> {
  const { session, projectId } = await signUp(server);
  const { client, key } = await createSecretKey(session, projectId);
  const path = `/v2/projects/${projectId}`;
  const app = await client.post(`${path}/apps`, {
    name: 'App',
    type: 'app_store',
    app_store: { bundle_id: 'com.example.app' },
  });
  const play = await client.post(`${path}/apps`, {
    name: 'Play',
    type: 'play_store',
    play_store: { package_name: 'com.example.app' },
  });
  const products: Record<string, string> = {};
  for (const [name, appId, type, duration] of [
    ['m10', app.body.id, 'subscription', 'P1M'],
    ['y120', app.body.id, 'subscription', 'P1Y'],
    ['y180', app.body.id, 'subscription', 'P1Y'],
    ['w3', play.body.id, 'subscription', 'P1W'],
    ['coins5', play.body.id, 'consumable', undefined],
  ] as const) {
    const made = await client.post(`${path}/products`, {
      store_identifier: name === 'w3' ? 'w3:base' : name,
      app_id: appId,
      type,
      display_name: name,
      ...(duration === undefined ? {} : { subscription: { duration } }),
    });
    products[name] = made.body.id;
  }
  return { projectId, path, client, session, key, appId: app.body.id, playAppId: play.body.id, products };
}

export async function addCustomer(
  { dataSource }: Pick<TestServer, 'dataSource'>,
  projectId: string,
  { id, seenMs, country }: { id: string; seenMs: number; country: string | null },
): Promise<void> {
  await dataSource.query(
    `INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, first_seen_country, created_at)
     VALUES ($1, $2, $2, $3, $4, $3)`,
    [projectId, id, new Date(seenMs), country],
  );
}

/** Consecutive periods that begin on these days; the last day is the end. */
function periods(days: string[], amount: number, kinds: SoldPeriod['kind'][] = []): SoldPeriod[] {
  return days.slice(0, -1).map((day, index) => ({
    startMs: moment(day),
    endMs: moment(days[index + 1] ?? day),
    kind: kinds[index] ?? 'normal',
    amountMicros: kinds[index] === 'trial' ? 0 : usd(amount),
  }));
}

/** Three of the customers as of 18 April: one is in a grace period. */
export async function sellApril(server: TestServer, { projectId, appId }: ChartsWorld): Promise<void> {
  const sold = { projectId, appId, storeProductId: 'm10' };
  for (const id of ['c1', 'c6', 'c8'])
    await addCustomer(server, projectId, { id, seenMs: moment('01-05'), country: 'US' });
  const days = ['01-05', '02-05', '03-05', '04-05', '05-05'];
  await sellSubscription(server, { ...sold, customerId: 'c1', periods: periods(days, 10) });
  await sellSubscription(server, { ...sold, customerId: 'c6', periods: upgrade() });
  await sellSubscription(server, { ...sold, customerId: 'c8', ...grace() });
}

function upgrade(): SoldPeriod[] {
  return [
    { startMs: moment('02-14'), endMs: moment('03-14'), amountMicros: usd(10) },
    {
      startMs: moment('03-14'),
      endMs: Date.parse('2027-03-14T10:00:00Z'),
      amountMicros: usd(180),
      storeProductId: 'y180',
    },
  ];
}

function grace(): { periods: SoldPeriod[]; graceUntilMs: number } {
  return {
    periods: [{ startMs: moment('03-15'), endMs: moment('04-15'), kind: 'intro', amountMicros: usd(4) }],
    graceUntilMs: moment('04-21'),
  };
}

/** The world of the specification's examples, as of 10 May 2026. */
export async function sellFixture(server: TestServer, world: ChartsWorld): Promise<void> {
  const { projectId, appId, playAppId } = world;
  for (const [id, day, country] of [
    ['c1', '01-05', 'US'],
    ['c2', '01-10', 'DE'],
    ['c3', '01-20', 'US'],
    ['c4', '01-25', 'US'],
    ['c5', '02-03', 'GB'],
    ['c6', '02-14', 'US'],
    ['c7', '03-02', 'US'],
    ['c8', '03-15', 'GB'],
    ['c9', '03-28', 'US'],
    ['c10', '04-20', 'US'],
    ['c11', '04-01', 'US'],
    ['c12', '04-02', 'US'],
    ['c13', '04-10', 'US'],
  ] as const) {
    await addCustomer(server, projectId, { id, seenMs: moment(day), country });
  }
  const apple = { projectId, appId, storeProductId: 'm10', commissionBps: APP_STORE_BPS } as const;
  const google = { projectId, appId: playAppId, store: 'play_store', commissionBps: PLAY_BPS } as const;
  const sell = (customerId: string, sold: Partial<Parameters<typeof sellSubscription>[1]>) =>
    sellSubscription(server, { ...apple, periods: [], customerId, ...sold });
  await sell('c1', { periods: periods(['01-05', '02-05', '03-05', '04-05', '05-05', '06-05'], 10) });
  await sell('c2', {
    periods: periods(['01-10', '01-17', '02-17', '03-17'], 10, ['trial']),
    isCancelled: true,
  });
  await sell('c3', { periods: periods(['01-20', '01-27'], 10, ['trial']), isCancelled: true });
  const [year] = periods(['02-01', '02-02'], 120);
  await sell('c4', {
    storeProductId: 'y120',
    periods: [
      {
        startMs: moment('02-01'),
        endMs: Date.parse('2027-02-01T10:00:00Z'),
        amountMicros: year?.amountMicros ?? 0,
        refund: { kind: 'full', atMs: moment('02-10'), amountMicros: usd(120) },
      },
    ],
  });
  const weekly = { ...google, storeProductId: 'w3', planId: 'base', isCancelled: true };
  await sell('c5', { ...weekly, periods: periods(['02-03', '02-10', '02-17', '02-24'], 3) });
  await sell('c5', { ...weekly, periods: periods(['04-01', '04-08'], 3) });
  await sell('c6', { periods: upgrade() });
  const coins = { ...google, storeProductId: 'coins5', amountMicros: usd(5), customerId: 'c7' };
  await sellOnce(server, { ...coins, atMs: moment('03-02') });
  await sellOnce(server, { ...coins, atMs: moment('03-20'), refundAtMs: moment('04-03') });
  await sell('c8', grace());
  await sell('c10', { periods: periods(['05-05', '05-12'], 10, ['trial']) });
  const april = periods(['04-05', '05-05', '06-05'], 10);
  await sell('c11', { periods: april, ownership: 'family_shared' });
  await sell('c12', { periods: april, store: 'promotional' });
  await sell('c13', { periods: april, environment: 'sandbox' });
}
