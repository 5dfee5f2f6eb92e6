import { ManualClock } from '../../libs/kernel/index.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { createTestDatabase } from '../support/database/index.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

/** Two servers whose clocks differ, writing events of the same customers. */
describe('event_timestamp_ms', () => {
  const clocks = [new ManualClock(TEST_START_MS), new ManualClock(TEST_START_MS - 3_000)];
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let servers: TestServer[];
  let store: TestStore;
  let tokens = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    servers = [];
    for (const clock of clocks) {
      const env = { SERVICE_ALLOW_SIGNUP: 'true' };
      servers.push(await startTestServer({ databaseUrl: database.url, clock, env }));
    }
    store = await createTestStore(servers[0]!);
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await database.drop();
  });

  /** Buys something for a customer at one of the servers. */
  const buy = async (appUserId: string, index: number): Promise<void> => {
    const sdk = servers[index]!.http.withKey(store.publicKey);
    const token = `test_${TEST_START_MS - 120_000}_${++tokens}`;
    const body = { ...testReceipt(appUserId), product_id: 'coins_100', fetch_token: token };
    expect((await sdk.post('/v1/receipts', body)).status).toBe(200);
  };

  const timesOf = async (appUserId: string): Promise<number[]> => {
    const rows = await servers[0]!.dataSource.query<{ at: string }[]>(
      `SELECT body ->> 'event_timestamp_ms' AS at FROM events
       WHERE project_id = $1 AND customer_id = (
         SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2)
       ORDER BY sequence`,
      [store.projectId, appUserId],
    );
    return rows.map(({ at }) => Number(at));
  };

  const expectRising = (times: number[]): void => {
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  };

  it('rises along the sequence while servers whose clocks differ write at once', async () => {
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => buy('ada', index % 2)));
      for (const clock of clocks) clock.advanceMs(round * 700);
    }
    const times = await timesOf('ada');
    expect(times).toHaveLength(40);
    expectRising(times);
  });

  it('does not go back with a clock that is set back, and follows it again once it has caught up', async () => {
    const clock = clocks[0]!;
    await buy('bob', 0);
    const [first] = await timesOf('bob');
    expect(first).toBe(clock.nowMs());
    clock.advanceMs(-60_000);
    await buy('bob', 0);
    await buy('bob', 0);
    clock.advanceMs(3_600_000);
    await buy('bob', 0);
    const times = await timesOf('bob');
    expect(times).toEqual([first, first! + 1, first! + 2, clock.nowMs()]);
  });

  it('follows the customer alone: others keep the time of their own server', async () => {
    await buy('carl', 0);
    await buy('dora', 1);
    expect(await timesOf('carl')).toEqual([clocks[0]!.nowMs()]);
    expect(await timesOf('dora')).toEqual([clocks[1]!.nowMs()]);
  });
});
