import { ManualClock } from '../../libs/kernel/index.js';
import { ExchangeRateFetchJob } from '../../src/platform/exchange-rates/exchange-rate-fetch.job.js';
import { ExchangeRatesService } from '../../src/platform/exchange-rates/exchange-rates.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { sellOnce } from '../support/sales.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { type Receiver, type ReceiverAnswer, startReceiver, status } from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETRY_MS = 15 * 60_000;

interface LedgerMoney {
  kind: string;
  amount_micros: number;
  usd_micros: number | null;
  fx_rate: string | null;
  fx_day: string | null;
  fx_source: string | null;
}

describe('exchange rates', () => {
  let database: TestDatabase;
  let provider: Receiver;
  let server: TestServer;
  let store: TestStore;
  const open: TestServer[] = [];

  const start = async (fxProvider: string, clock?: ManualClock): Promise<TestServer> => {
    const started = await startTestServer({
      databaseUrl: database.url,
      clock,
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_FX_PROVIDER: fxProvider, SERVICE_FX_URL: provider.url },
    });
    open.push(started);
    return started;
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    provider = await startReceiver();
    provider.answerWith(status(503));
    server = await start('http', new ManualClock(TEST_START_MS));
    // It looks at once when it starts, and fails.
    await fetchNow();
    expect(provider.requests).toHaveLength(1);
    store = await createTestStore(server);
    server.clock.setMs(TEST_START_MS + RETRY_MS);
  });

  afterEach(async () => {
    for (const started of open.splice(0)) await started.close();
    await provider.close();
    await database.drop();
  });

  const answerWith = (date: string, rates: object, base = 'USD') =>
    provider.answerWith((response) => response.end(JSON.stringify({ base, date, rates })));
  const fetchNow = (from = server): Promise<void> => from.app.get(ExchangeRateFetchJob).run();
  const stored = () =>
    server.dataSource.query<object[]>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, rates FROM exchange_rates ORDER BY day`,
    );

  let bought = 0;
  const buy = async (to: TestServer, currency: string, price = '9.99') => {
    const answer = await to.http.withKey(store.publicKey).post('/v1/receipts', {
      app_user_id: 'buyer',
      fetch_token: `test_${to.clock.nowMs()}_fx-${++bought}`,
      product_id: 'coins_100',
      price,
      currency,
    });
    expect(answer.status).toBe(200);
  };
  const ledger = (): Promise<LedgerMoney[]> =>
    server.dataSource.query(
      `SELECT kind, amount_micros, usd_micros, fx_rate, to_char(fx_day, 'YYYY-MM-DD') AS fx_day, fx_source
       FROM store_transactions ORDER BY recorded_at, id`,
    );
  const lastMoney = async () => (await ledger()).at(-1);

  it('fetches them, and stores rate, day and source with each transaction', async () => {
    await buy(server, 'EUR');
    // 9.99 EUR at 0.859219, the rate of January that ships with the server.
    expect(await lastMoney()).toMatchObject({ fx_source: 'static', usd_micros: 11_626_838 });
    answerWith('2026-01-02', { EUR: 0.9, JPY: 150 });
    await fetchNow();
    expect(await stored()).toEqual([{ day: '2026-01-02', rates: { EUR: 0.9, JPY: 150 } }]);
    server.clock.advanceMs(1);
    await buy(server, 'EUR');
    expect(await lastMoney()).toEqual({
      kind: 'one_time',
      amount_micros: 9_990_000,
      // 9.99 / 0.9
      usd_micros: 11_100_000,
      fx_rate: '0.9000000000',
      fx_day: '2026-01-02',
      fx_source: 'http',
    });
    server.clock.advanceMs(1);
    await buy(server, 'GBP');
    expect(await lastMoney()).toMatchObject({ fx_source: 'static' });
    const events = await store.backend.get(`${store.path}/customers/buyer/events`);
    const prices = events.body.items.map(({ body }: { body: { price: number } }) => body.price);
    expect(prices[1]).toBe(11.1);
    expect(
      await server.dataSource.query('SELECT fx_rate FROM store_transactions WHERE fx_rate IS NULL'),
    ).toEqual([]);
  });

  it('allows every figure to be computed again from stored rates', async () => {
    answerWith('2026-01-02', { EUR: 0.876543, JPY: 151.234 });
    await fetchNow();
    for (const [currency, price] of [
      ['EUR', '3.33'],
      ['JPY', '1234'],
      ['GBP', '0.99'],
      ['USD', '7.77'],
    ] as const) {
      await buy(server, currency, price);
      server.clock.advanceMs(1);
    }
    for (const row of await ledger()) {
      expect(row.usd_micros).toBe(Math.round(row.amount_micros / Number(row.fx_rate)));
    }
  });

  it('fetches them by one of all servers, and shares them with the others at once', async () => {
    // A server that starts looks at once; nothing is due then.
    server.clock.setMs(TEST_START_MS);
    const other = await start('http', server.clock);
    await fetchNow(other);
    server.clock.setMs(TEST_START_MS + RETRY_MS);
    const before = provider.requests.length;
    answerWith('2026-01-02', { EUR: 0.9 });
    await Promise.all([fetchNow(), fetchNow(other), fetchNow(), fetchNow(other)]);
    expect(provider.requests.length - before).toBe(1);
    expect(await stored()).toHaveLength(1);
    for (const { app } of [server, other]) {
      await app.get(ExchangeRatesService).reload();
      expect(app.get(ExchangeRatesService).rateOf('EUR', '2026-01-02')).toBe(0.9);
    }
  });

  it('fetches them once a day, a few times if the provider is late, and again soon after a failure', async () => {
    const asked = async (afterMs: number): Promise<number> => {
      const before = provider.requests.length;
      server.clock.advanceMs(afterMs);
      await fetchNow();
      return provider.requests.length - before;
    };
    expect(await asked(0)).toBe(1);
    expect(await asked(RETRY_MS - 1)).toBe(0);
    answerWith('2026-01-01', { EUR: 0.9 });
    expect(await asked(1)).toBe(1);
    expect(await asked(4 * HOUR_MS - 1)).toBe(0);
    answerWith('2026-01-02', { EUR: 0.91 });
    expect(await asked(1)).toBe(1);
    server.clock.setMs(Date.UTC(2026, 0, 3) - 1);
    expect(await asked(0)).toBe(0);
    answerWith('2026-01-03', { EUR: 0.92 });
    expect(await asked(1)).toBe(1);
    expect((await stored()).map((row) => (row as { day: string }).day)).toEqual([
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
    ]);
  });

  it('ignores bad answers', async () => {
    const upsideDown = { base: 'USD', date: '2026-01-02', rates: { JPY: 0.0064, KRW: 0.0007 } };
    const bad: ReceiverAnswer[] = [
      status(401),
      status(302, { location: `${provider.url}/elsewhere` }),
      (response) => response.end('<html>'),
      (response) => response.end(JSON.stringify(upsideDown)),
      (response) => response.end(`{"base":"USD","padding":"${'x'.repeat(300_000)}"}`),
      (response) => response.destroy(),
    ];
    for (const answer of bad) {
      provider.answerWith(answer);
      const before = provider.requests.length;
      await fetchNow();
      expect(provider.requests).toHaveLength(before + 1);
      expect(await stored()).toEqual([]);
      server.clock.advanceMs(RETRY_MS);
    }
    await buy(server, 'JPY', '1000');
    expect(await lastMoney()).toMatchObject({ fx_source: 'static' });
  });

  it('keeps the known rates of a day', async () => {
    answerWith('2026-01-01', { EUR: 0.9 });
    await fetchNow();
    answerWith('2026-01-01', { EUR: 0.8 });
    server.clock.advanceMs(4 * HOUR_MS);
    await fetchNow();
    expect(await stored()).toEqual([{ day: '2026-01-01', rates: { EUR: 0.9 } }]);
    await buy(server, 'EUR');
    expect(await lastMoney()).toMatchObject({ fx_day: '2026-01-01', fx_rate: '0.9000000000' });
  });

  it('uses the rates of a purchase for its refund, even if they change later', async () => {
    const sale = {
      projectId: store.projectId,
      appId: store.appId,
      storeProductId: 'coins_100',
      atMs: TEST_START_MS - DAY_MS,
      amountMicros: 9_990_000,
      currency: 'EUR',
    };
    const id = await sellOnce(server, sale);
    await server.dataSource.query(
      'UPDATE store_transactions SET usd_micros = 12345678, fx_rate = 0.8092, fx_day = $1',
      ['2025-12-31'],
    );
    server.clock.advanceMs(1);
    await sellOnce(server, { ...sale, id, refundAtMs: TEST_START_MS });
    const [bought, back] = await ledger();
    expect(back).toEqual({ ...bought, kind: 'refund', amount_micros: -9_990_000, usd_micros: -12_345_678 });
  });

  it('disables them if the provider is the table, or none', async () => {
    answerWith('2026-01-02', { EUR: 0.9 });
    await fetchNow();
    await buy(await start('static', server.clock), 'EUR');
    expect(await lastMoney()).toMatchObject({ fx_source: 'static' });
    const none = await start('none', server.clock);
    none.clock.advanceMs(1);
    await buy(none, 'EUR');
    expect(await lastMoney()).toMatchObject({
      usd_micros: null,
      fx_rate: null,
      fx_day: null,
      fx_source: null,
    });
    none.clock.advanceMs(1);
    await buy(none, 'USD');
    expect(await lastMoney()).toMatchObject({ usd_micros: 9_990_000, fx_source: 'identity' });
    const overview = await store.backend.get(`${store.path}/metrics/overview?environment=sandbox`);
    const [, , , revenue] = overview.body.metrics;
    // The amount without a rate counts as nothing: 11.63 for the first one, and 9.99.
    expect(revenue.value).toBe(21.62);
    expect(provider.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
