import type { DataSource } from 'typeorm';
import { saveEvents, saveLedger, saveRefunds } from '../../src/purchases/recording/change-set.sql.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;

let ids = 0;
const newRow = () => ({
  id: `row-${++ids}`,
  customerId: 'cus_nobody',
  subscriptionId: 'sub_1',
  appId: 'app_1',
  environment: 'production',
});
const movement = (more: object) => ({
  ...newRow(),
  store: 'app_store',
  kind: 'renewal',
  kindSeq: 0,
  periodKey: 'period',
  ownerKey: 'owner',
  storeIds: ['1'],
  amountMicros: 9_990_000,
  currency: 'EUR',
  usdMicros: 11_000_000,
  fxRate: 0.9,
  fxDay: '2026-01-01',
  fxSource: 'static',
  commissionBps: 1500,
  taxBps: 0,
  quantity: 1,
  priceSource: 'store',
  purchasedAtMs: 0,
  periodType: 'normal',
  ownership: 'purchased',
  ...more,
});
const event = (atMs: number, dedupeKey: string, more: object = {}) => ({
  ...newRow(),
  createdAtMs: atMs,
  occurredAtMs: atMs,
  type: 'RENEWAL',
  dedupeKey,
  delivery: 'send',
  body: {},
  ...more,
});

/** Keys that have no row, and rows whose key is not noted or leads elsewhere. */
async function strayKeys(dataSource: Pick<DataSource, 'query'>): Promise<unknown[]> {
  return dataSource.query<unknown[]>(`
    SELECT k.dedupe_key AS key, e.id FROM event_keys k
    FULL JOIN events e ON e.project_id = k.project_id AND e.dedupe_key = k.dedupe_key
    WHERE k.project_id IS NULL OR e.project_id IS NULL
    UNION ALL
    SELECT k.owner_key, t.id FROM store_transaction_keys k
    FULL JOIN store_transactions t ON (t.project_id, t.store, t.environment, t.owner_key, t.period_key, t.kind,
      t.kind_seq, t.recorded_at, t.id) = (k.project_id, k.store, k.environment, k.owner_key, k.period_key, k.kind,
      k.kind_seq, k.recorded_at, k.id)
    WHERE k.project_id IS NULL OR t.project_id IS NULL
    UNION ALL
    SELECT e.type, e.id FROM events e WHERE NOT EXISTS (SELECT FROM event_kinds k WHERE k.project_id = e.project_id
      AND k.type = e.type AND k.environment = coalesce(e.environment, '') AND k.app_id = coalesce(e.app_id, ''))`);
}

describe('events and ledger by month', () => {
  let server: TestServer;
  let store: TestStore;
  /** The first moment that the first partition does not take. */
  let startMs: number;

  beforeEach(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    store = await createTestStore(server);
    const [{ bound } = { bound: '' }] = await server.dataSource.query<{ bound: string }[]>(
      `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''(.*)''\\)') AS bound FROM pg_class
       WHERE relname = 'store_transactions_first'`,
    );
    startMs = Date.parse(bound);
  });

  afterEach(async () => {
    expect(await strayKeys(server.dataSource)).toEqual([]);
    await server.close();
  });

  const moveTo = (ms: number): void => server.clock.advanceMs(ms - server.clock.nowMs());
  const record = ({ text }: { text: string }, atMs: number, row: object): Promise<unknown> =>
    server.dataSource.query(text, [store.projectId, JSON.stringify([row]), new Date(atMs)]);
  const recordEvents = (...events: object[]): Promise<unknown> =>
    server.dataSource.query(saveEvents.text, [store.projectId, JSON.stringify(events)]);
  const places = (table: string): Promise<{ place: string; kind: string }[]> =>
    server.dataSource.query(
      `SELECT tableoid::regclass::text AS place, ${table === 'events' ? 'type' : 'kind'} AS kind FROM ${table}
       WHERE project_id = $1 ORDER BY 1, 2`,
      [store.projectId],
    );
  const receipt = (token: string, customer = 'ada') => ({
    app_user_id: customer,
    fetch_token: token,
    product_id: 'pro_monthly',
  });
  const monthName = (ms: number): string => new Date(ms).toISOString().slice(0, 7).replace('-', '_');

  it('counts a receipt that is posted again in another month once; a new one is stored in its own month', async () => {
    moveTo(startMs - DAY_MS);
    const first = `test_${server.clock.nowMs()}_first`;
    expect((await store.sdk.post('/v1/receipts', receipt(first))).status).toBe(200);
    moveTo(startMs + DAY_MS);
    expect((await store.sdk.post('/v1/receipts', receipt(first))).status).toBe(200);
    expect(await places('store_transactions')).toEqual([
      { place: 'store_transactions_first', kind: 'purchase' },
    ]);
    const second = `test_${server.clock.nowMs()}_second`;
    expect((await store.sdk.post('/v1/receipts', receipt(second, 'bob'))).status).toBe(200);
    expect(await places('store_transactions')).toEqual([
      { place: `store_transactions_${monthName(startMs)}`, kind: 'purchase' },
      { place: 'store_transactions_first', kind: 'purchase' },
    ]);
    expect(await places('events')).toEqual([
      { place: `events_${monthName(startMs)}`, kind: 'INITIAL_PURCHASE' },
      { place: 'events_first', kind: 'INITIAL_PURCHASE' },
    ]);
  });

  it('stores no second movement or event in another month', async () => {
    for (const months of [-1, 0, 1, 20]) {
      const atMs = startMs + months * MONTH_MS + DAY_MS;
      await record(saveLedger, atMs, movement({}));
      const recording = recordEvents(event(atMs, 'once'));
      if (months === -1) await recording;
      else await expect(recording).rejects.toMatchObject({ code: '23505', constraint: 'event_keys_pkey' });
    }
    expect(await places('store_transactions')).toHaveLength(1);
    expect(await places('events')).toHaveLength(1);
  });

  it('refunds at the rates of an earlier month', async () => {
    await record(saveLedger, startMs - DAY_MS, movement({}));
    const own = { usdMicros: -1, fxRate: 0.5, fxDay: '2026-03-01', fxSource: 'http', commissionBps: 3000 };
    const all = { ...own, kind: 'refund', amountMicros: -9_990_000 };
    await record(saveRefunds, startMs + MONTH_MS, movement(all));
    const half = { ...own, kind: 'refund_reversal', amountMicros: 4_500_000 };
    await record(saveRefunds, startMs + 2 * MONTH_MS, movement(half));
    await record(saveRefunds, startMs + 2 * MONTH_MS, movement({ ...all, periodKey: 'unknown' }));
    const money = await server.dataSource.query<unknown[]>(
      `SELECT period_key, usd_micros::int, fx_rate::float, fx_day::text, fx_source, commission_bps
       FROM store_transactions WHERE kind <> 'renewal' ORDER BY amount_micros, period_key`,
    );
    const old = { fx_rate: 0.9, fx_day: '2026-01-01', fx_source: 'static', commission_bps: 1500 };
    expect(money).toEqual([
      { period_key: 'period', usd_micros: -11_000_000, ...old },
      {
        period_key: 'unknown',
        usd_micros: -1,
        fx_rate: 0.5,
        fx_day: '2026-03-01',
        fx_source: 'http',
        commission_bps: 3000,
      },
      { period_key: 'period', usd_micros: 5_000_000, ...old },
    ]);
  });

  it('counts concurrent reports once, across the end of a month', async () => {
    const recordings = Array.from({ length: 8 }, (_, index) => startMs - 4 + index).map((atMs) => [
      record(saveLedger, atMs, movement({})),
      recordEvents(event(atMs, 'once')),
    ]);
    const done = await Promise.allSettled(recordings.flat());
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(7);
    expect(await places('store_transactions')).toHaveLength(1);
    expect(await places('events')).toHaveLength(1);
  });

  it('forgets a deleted customer with the keys, who may buy the same again', async () => {
    const { projectId } = store;
    moveTo(startMs - DAY_MS);
    const token = `test_${server.clock.nowMs()}_again`;
    expect((await store.sdk.post('/v1/receipts', receipt(token))).status).toBe(200);
    moveTo(startMs + DAY_MS);
    expect((await store.backend.delete(`${store.path}/customers/ada`)).status).toBe(200);
    const keysLeft = await server.dataSource.query<unknown[]>(
      `SELECT dedupe_key FROM event_keys WHERE project_id = $1
       UNION ALL SELECT owner_key FROM store_transaction_keys WHERE project_id = $1`,
      [projectId],
    );
    expect(keysLeft).toEqual([]);
    expect((await store.sdk.post('/v1/receipts', receipt(token))).status).toBe(200);
    const place = monthName(startMs);
    expect(await places('store_transactions')).toEqual([
      { place: `store_transactions_${place}`, kind: 'purchase' },
    ]);
    expect(await places('events')).toEqual([{ place: `events_${place}`, kind: 'INITIAL_PURCHASE' }]);
  });

  it('blocks reports during a deletion until it ends', async () => {
    const { projectId } = store;
    await record(saveLedger, startMs - DAY_MS, movement({}));
    const eraser = server.dataSource.createQueryRunner();
    await eraser.startTransaction();
    await eraser.query('DELETE FROM store_transactions WHERE project_id = $1', [projectId]);
    const recording = record(saveLedger, startMs, movement({}));
    await untilBlocked(server, 1);
    await eraser.commitTransaction();
    await eraser.release();
    await recording;
    expect(await places('store_transactions')).toHaveLength(1);
  });

  it("lists the event log's months in one order, including events recorded ahead of time", async () => {
    const from = startMs - 4 * MONTH_MS;
    const types = ['RENEWAL', 'EXPIRATION', 'TEST'];
    // Spread without a pattern over six months; some told weeks late, few ahead of their time.
    const events = Array.from({ length: 60 }, (_, index) => {
      const occurredAtMs = from + ((index * 7_919) % 600) * 0.3 * DAY_MS;
      const late = index % 3 === 0 ? ((index * 31) % 90) * DAY_MS : 0;
      const createdAtMs = index % 20 === 7 ? from - DAY_MS : occurredAtMs + late;
      const environment = index % 4 === 0 ? 'sandbox' : 'production';
      return event(createdAtMs, `log-${index}`, { occurredAtMs, environment, type: types[index % 3] });
    });
    await recordEvents(...events);
    moveTo(from + 190 * DAY_MS);
    const newestFirst = [...events].sort(
      (one, other) => other.occurredAtMs - one.occurredAtMs || other.createdAtMs - one.createdAtMs,
    );
    const logged = async (limit: number): Promise<string[]> =>
      (await walkList(store.backend, `${store.path}/events`, limit)).map(({ id }) => id as string);
    for (const limit of [1, 4, 25]) expect(await logged(limit)).toEqual(newestFirst.map(({ id }) => id));
    expect(events.filter((one) => one.occurredAtMs > one.createdAtMs)).toHaveLength(3);
  });
});
