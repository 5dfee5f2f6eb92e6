import { jest } from '@jest/globals';
import pg from 'pg';
import { BoundedClient } from '../../src/platform/database/connections/bounded-client.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { isPoolExhausted } from '../../src/platform/database/database-errors.js';
import { statement } from '../../src/platform/database/statement.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import type { Answer } from '../support/api-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { untilBlocked } from '../support/until-blocked.js';

/** Far above what a statement takes here. */
const LIMIT_MS = 2_000;

describe('tables that another session has locked', () => {
  let server: TestServer;
  let store: TestStore;
  let holder: pg.Client;

  beforeEach(async () => {
    server = await startTestServer({
      env: { SERVICE_DATABASE_TIMEOUT_MS: String(LIMIT_MS), SERVICE_ROLE: 'api' },
    });
    store = await createTestStore(server);
    expect((await store.sdk.get('/v1/subscribers/ada')).status).toBe(201);
    holder = new pg.Client({ connectionString: server.databaseUrl });
    await holder.connect();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await holder.end();
    await server.close();
  });

  const hold = (): Promise<unknown> =>
    holder.query('BEGIN; LOCK TABLE customers, customer_aliases IN ACCESS EXCLUSIVE MODE');
  const info = (id: string): Promise<Answer> => store.sdk.get(`/v1/subscribers/${id}`);
  const buy = (id: string): Promise<Answer> => store.sdk.post('/v1/receipts', testReceipt(id));

  /** Records the latest times (`performance.now()`) at which statements that start from now on are given up. */
  function noteEnds(): number[] {
    const ends: number[] = [];
    const shorten: (this: BoundedClient, limitMs: number) => void = Reflect.get(
      BoundedClient.prototype,
      'shorten',
    );
    jest.spyOn(BoundedClient.prototype, 'shorten').mockImplementation(function (
      this: BoundedClient,
      limitMs: number,
    ) {
      if (Number.isFinite(limitMs)) ends.push(performance.now() + limitMs);
      shorten.call(this, limitMs);
    });
    return ends;
  }

  it.each([
    ['customer info', info],
    ['receipts', buy],
  ])("limits %s to a statement's time, and not once more behind others", async (_, ask) => {
    await hold();
    const ends = noteEnds();
    const first = [ask('ada')];
    await untilBlocked(server, 1);
    first.push(ask('grace'));
    await untilBlocked(server, 2);
    const sentAt = performance.now();
    // Both batches are under way: these wait for the next one.
    const behind = ['joan', 'mary'].map(ask);
    for (const { status, headers } of await Promise.all([...first, ...behind]))
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(ends.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...ends) - sentAt).toBeLessThan(1.5 * LIMIT_MS);
    await holder.query('ROLLBACK');
    expect((await ask('ada')).status).toBe(200);
  });

  it('subtracts from a statement what its caller has waited already', async () => {
    const slow = statement('test.slow_for_caller', 'SELECT pg_sleep(60)');
    const failed = server.app.get(DatabaseService).query(slow, [], performance.now() - 0.75 * LIMIT_MS);
    const { message } = (await failed.catch((error: unknown) => error as Error)) as Error;
    const limitMs = Number(/did not answer within (\d+) ms/.exec(message)?.[1]);
    expect(limitMs).toBeLessThanOrEqual(0.25 * LIMIT_MS);
  });

  it('subtracts the wait for a connection too, without losing a connection', async () => {
    const database = server.app.get(DatabaseService);
    const one = statement('test.one', 'SELECT 1 AS one');
    const taken = Array.from({ length: server.config.mainConnections }, () =>
      server.dataSource.createQueryRunner(),
    );
    await Promise.all(taken.map((runner) => runner.connect()));
    const since = performance.now() - 0.9 * LIMIT_MS;
    const late = [
      database.query(one, [], since),
      database.transaction((tx) => tx.query(one, []), { since }),
    ].map((answer) => answer.then(() => null, isPoolExhausted));
    expect(await Promise.all(late)).toEqual([true, true]);
    await Promise.all(taken.map((runner) => runner.release()));
    const all = Array.from({ length: taken.length + 1 }, () => database.query(one, []));
    expect(await Promise.all(all)).toEqual(all.map(() => [{ one: 1 }]));
  });
});
