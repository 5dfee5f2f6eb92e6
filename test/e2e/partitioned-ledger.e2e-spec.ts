import { readFileSync } from 'node:fs';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { KeysOfEventsAndLedger1764500000200 as Preparation } from '../../src/platform/database/migrations/1764500000200-keys-of-events-and-ledger.js';
import { knownStatements } from '../../src/platform/database/statement.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database/index.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
/** As the version before partitioned events and ledger saved changes. */
const previousText = readFileSync(
  new URL('../upgrade/change-set-before-partitions.sql', import.meta.url),
  'utf8',
);

interface Told {
  projectId: string;
  atMs: number;
  ledger?: object[];
  events?: object[];
}

/** Values of the statement that saves changes: of nothing but money and events. */
function told({ projectId, atMs, ledger = [], events = [] }: Told): unknown[] {
  const parts = [[], [], ledger, events, [], []].map((part) => JSON.stringify(part));
  return [projectId, ...parts, new Date(atMs), []];
}

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
  const textOf = (name: string): string => {
    const found = knownStatements().find((one) => one.name === name);
    if (!found) throw new Error(`no statement ${name}`);
    return found.text;
  };
  const versions = {
    'this version': () => ({
      plain: textOf('purchases.save_change_set'),
      refunds: textOf('purchases.save_change_set_with_refunds'),
    }),
    'the version before': () => ({ plain: previousText, refunds: previousText }),
  };
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

  it('a receipt that is posted again in another month counts once; a new one stands in its own month', async () => {
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

  describe.each(Object.entries(versions))('as %s tells it', (_, texts) => {
    it('a movement or an event of another month is no second one', async () => {
      const { projectId } = store;
      for (const months of [-1, 0, 1, 20]) {
        const atMs = startMs + months * MONTH_MS + DAY_MS;
        await server.dataSource.query(texts().plain, told({ projectId, atMs, ledger: [movement({})] }));
        const events = [event(atMs, 'once')];
        const telling = server.dataSource.query(texts().plain, told({ projectId, atMs, events }));
        if (months === -1) await telling;
        else await expect(telling).rejects.toMatchObject({ code: '23505', constraint: 'event_keys_pkey' });
      }
      expect(await places('store_transactions')).toHaveLength(1);
      expect(await places('events')).toHaveLength(1);
    });

    it('a refund takes back the money at the rates of an earlier month', async () => {
      const { projectId } = store;
      const tell = (atMs: number, text: string, row: object): Promise<unknown> =>
        server.dataSource.query(text, told({ projectId, atMs, ledger: [row] }));
      await tell(startMs - DAY_MS, texts().plain, movement({}));
      const own = { usdMicros: -1, fxRate: 0.5, fxDay: '2026-03-01', fxSource: 'http', commissionBps: 3000 };
      const all = { ...own, kind: 'refund', amountMicros: -9_990_000 };
      await tell(startMs + MONTH_MS, texts().refunds, movement(all));
      const half = { ...own, kind: 'refund_reversal', amountMicros: 4_500_000 };
      await tell(startMs + 2 * MONTH_MS, texts().refunds, movement(half));
      await tell(startMs + 2 * MONTH_MS, texts().refunds, movement({ ...all, periodKey: 'unknown' }));
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

    it('what is told by many at once, over the end of a month, counts once', async () => {
      const { projectId } = store;
      const tellings = Array.from({ length: 8 }, (_, index) => startMs - 4 + index).map((atMs) => [
        server.dataSource.query(texts().plain, told({ projectId, atMs, ledger: [movement({})] })),
        server.dataSource.query(texts().plain, told({ projectId, atMs, events: [event(atMs, 'once')] })),
      ]);
      const done = await Promise.allSettled(tellings.flat());
      expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(7);
      expect(await places('store_transactions')).toHaveLength(1);
      expect(await places('events')).toHaveLength(1);
    });
  });

  it('a deleted customer is forgotten with the keys, and may buy the same again', async () => {
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

  it('what is told while it is being deleted waits for the end of the deletion', async () => {
    const { projectId } = store;
    const save = textOf('purchases.save_change_set');
    const values = (atMs: number) => told({ projectId, atMs, ledger: [movement({})] });
    await server.dataSource.query(save, values(startMs - DAY_MS));
    const eraser = server.dataSource.createQueryRunner();
    await eraser.startTransaction();
    await eraser.query('DELETE FROM store_transactions WHERE project_id = $1', [projectId]);
    const telling = server.dataSource.query(save, values(startMs));
    await untilBlocked(server, 1);
    await eraser.commitTransaction();
    await eraser.release();
    await telling;
    expect(await places('store_transactions')).toHaveLength(1);
  });

  it('the event log has the months in one order, and what was recorded ahead of its time', async () => {
    const { projectId } = store;
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
    await server.dataSource.query(
      textOf('purchases.save_change_set'),
      told({ projectId, atMs: from, events }),
    );
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

describe('the migration of events and ledger to monthly partitions', () => {
  const at = migrations.indexOf(Preparation);
  let database: TestDatabase;
  let client: pg.Client;

  const open = (list = migrations): Promise<DataSource> =>
    new DataSource({
      ...dataSourceOptions({ url: database.url, poolSize: 2 }),
      migrations: list,
      entities: [],
    }).initialize();
  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(text, values)).rows;
  const tell = (what: Told, by = client): Promise<unknown> =>
    by.query({ name: 'purchases.save_change_set', text: previousText, values: told(what) });
  const rows = (table: string) =>
    query(`SELECT t.*::text AS row FROM (SELECT ${table} FROM ${table}) t ORDER BY 1`);

  /** Rows of two projects, of many kinds, over years; and one of a month that no partition is made for. */
  async function fill(): Promise<void> {
    const start = Date.now() - 700 * DAY_MS;
    for (const projectId of ['proj_a', 'proj_b']) {
      for (let day = 0; day <= 1_100; day += 55) {
        const atMs = start + day * DAY_MS;
        const ledger = [
          movement({ periodKey: `p${day}`, store: day % 2 ? 'app_store' : 'stripe', usdMicros: null }),
          movement({ periodKey: `p${day}`, kind: 'refund', amountMicros: -1, currency: null }),
          movement({
            periodKey: `o${day}`,
            kind: 'one_time',
            subscriptionId: null,
            purchaseId: 'purch_1',
            environment: 'sandbox',
          }),
        ];
        const events = [
          event(atMs, `e${day}`),
          event(atMs, `t${day}`, { type: 'TRANSFER', otherCustomerId: 'cus_other', appId: null }),
          event(atMs, `n${day}`, { type: 'TEST', customerId: null, environment: null, subscriptionId: null }),
        ];
        await tell({ projectId, atMs, ledger, events });
      }
    }
  }

  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
    const before = await open(migrations.slice(0, at));
    await before.runMigrations({ transaction: 'each' });
    await before.destroy();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  /** That the tables are what they are to be, and hold what they held. */
  async function check(expected: unknown): Promise<void> {
    expect([await rows('events'), await rows('store_transactions')]).toEqual(expected);
    const dataSource = await open();
    expect(await strayKeys(dataSource)).toEqual([]);
    await dataSource.destroy();
    const left = await query(
      `SELECT conname FROM pg_constraint WHERE conname LIKE '%first_months' OR conname LIKE 'events_once%'`,
    );
    expect(left).toEqual([]);
    expect(await query('SELECT 1 FROM pg_index WHERE NOT indisvalid')).toEqual([]);
    const triggers = await query(
      `SELECT tgrelid::regclass::text AS name, count(*)::int FROM pg_trigger
       WHERE tgname ~ '^(events|store_transactions)_(noted|forgotten|kind_noted)$' GROUP BY 1`,
    );
    const partitions = await query(
      // New events are noted by the whole table.
      `SELECT c.oid::regclass::text AS name, CASE WHEN c.relname LIKE 'events_%' THEN 1 ELSE 2 END AS count
       FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relname ~ '^(events|store_transactions)(_first|_default|_2.*)?$'`,
    );
    expect(partitions).toHaveLength(12);
    expect(triggers).toEqual(expect.arrayContaining(partitions));
    expect(triggers).toHaveLength(partitions.length);
  }

  /** What was told before is not told a second time, in whichever month. */
  async function tellAgain(): Promise<void> {
    for (const atMs of [Date.now() - 300 * DAY_MS, Date.now(), Date.now() + 70 * DAY_MS]) {
      const ledger = [movement({ periodKey: 'p55', usdMicros: null })];
      await tell({ projectId: 'proj_a', atMs, ledger });
      const again = tell({ projectId: 'proj_a', atMs, events: [event(atMs, 'e55')] });
      await expect(again).rejects.toMatchObject({ code: '23505' });
    }
  }

  it('keeps every row and notes every key', async () => {
    await fill();
    const before = [await rows('events'), await rows('store_transactions')];
    expect(before.map(({ length }) => length)).toEqual([126, 126]);
    await runMigrations(database.url);
    await check(before);
    await tellAgain();
    await check(before);
  });

  it('can be run again after a failure at any of its statements, and whatever is told between them counts once', async () => {
    await fill();
    const before = [await rows('events'), await rows('store_transactions')];
    const dataSource = await open();
    for (let allowed = 0, isDone = false; !isDone; allowed++) {
      const runner = dataSource.createQueryRunner();
      try {
        await new Preparation().up(failingAfter(runner, allowed));
        isDone = true;
      } catch (error) {
        expect(String(error)).toContain('interrupted');
      } finally {
        await runner.release();
      }
      expect(allowed).toBeLessThan(60);
      await tellAgain();
    }
    await dataSource.destroy();
    await runMigrations(database.url);
    await check(before);
    await tellAgain();
  });

  /** A query runner whose statements fail after so many. */
  function failingAfter(runner: QueryRunner, allowed: number): QueryRunner {
    let made = 0;
    const counted = <T>(work: () => Promise<T>): Promise<T> =>
      ++made > allowed ? Promise.reject(new Error('interrupted')) : work();
    return {
      connect: () => runner.connect(),
      startTransaction: () => runner.startTransaction(),
      commitTransaction: () => runner.commitTransaction(),
      rollbackTransaction: () => runner.rollbackTransaction(),
      query: (text: string) => counted(() => runner.query(text)),
      manager: {
        query: (text: string, values?: unknown[]) => counted(() => runner.manager.query(text, values)),
      },
    } as unknown as QueryRunner;
  }

  it('goes on beside servers of the version before, whose tellings and repetitions count once', async () => {
    await fill();
    const before = [await rows('events'), await rows('store_transactions')];
    let isOver = false;
    let expectedRows = 0;
    /** Tells each renewal twice, the second time as of another month; what a lock or deadlock ended is told again. */
    async function write(projectId: string): Promise<void> {
      const writer = new pg.Client({ connectionString: database.url });
      await writer.connect();
      const insist = async (what: Told): Promise<boolean> => {
        for (;;) {
          try {
            await tell(what, writer);
            return true;
          } catch (error) {
            const { code } = error as { code?: string };
            if (code === '23505') return false;
            if (code !== '40P01' && code !== '55P03') throw error;
          }
        }
      };
      for (let count = 0; !isOver || count < 20; count++) {
        const [key, atMs] = [`new-${count}`, Date.now() + (count % 7) * DAY_MS];
        const ledger = () => [movement({ periodKey: key })];
        const first = { projectId, atMs, ledger: ledger(), events: [event(atMs, key)] };
        expect(await insist(first)).toBe(true);
        expect(await insist({ projectId, atMs: atMs - 40 * DAY_MS, ledger: ledger() })).toBe(true);
        expect(await insist({ projectId, atMs, events: [event(atMs - 40 * DAY_MS, key)] })).toBe(false);
        const old = `p${(count % 21) * 55}`;
        const store = { store: (count % 21) % 2 ? 'app_store' : 'stripe', periodKey: old };
        expect(await insist({ projectId, atMs, ledger: [movement(store)] })).toBe(true);
        expectedRows++;
      }
      await writer.end();
    }
    const writers = Promise.all(['proj_a', 'proj_b'].map(write));
    await runMigrations(database.url);
    isOver = true;
    await writers;
    const isNew = (text: string) => /[,"]new-/.test(text);
    const after = [await rows('events'), await rows('store_transactions')];
    const added = after.map((table) => table.filter(({ row }) => isNew(String(row))).length);
    expect(added).toEqual([expectedRows, expectedRows]);
    const old = after.map((table) => table.filter(({ row }) => !isNew(String(row))));
    expect(old).toEqual(before);
    await check(after);
  });
});
