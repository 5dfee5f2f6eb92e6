import { Registry } from 'prom-client';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('what a purchase marks for jobs', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  let bought = 0;
  const buy = async (appUserId: string): Promise<void> => {
    const receipt = testReceipt(appUserId, server.clock.nowMs() - ++bought);
    expect((await store.sdk.post('/v1/receipts', receipt)).status).toBe(200);
  };
  const marks = async () => {
    const [row] = await server.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM chart_changes WHERE project_id = $1) AS charts,
         (SELECT count(*)::int FROM listed_customer_changes WHERE project_id = $1) AS lists,
         (SELECT sum(first_seen)::int FROM metric_customer_changes WHERE project_id = $1) AS "firstSeen",
         (SELECT sum(last_seen)::int FROM metric_customer_changes WHERE project_id = $1) AS "lastSeen"`,
      [store.projectId],
    );
    return row;
  };

  it('marks each purchase for the charts, and new customers once for each other job', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `new-${index}`);
    await Promise.all(names.map(buy));
    expect(await marks()).toEqual({ charts: 24, lists: 12, firstSeen: 12, lastSeen: 12 });
    await buy('new-0');
    expect(await marks()).toEqual({ charts: 25, lists: 13, firstSeen: 12, lastSeen: 12 });
  });

  it('reports the age of the oldest change that the charts lack', async () => {
    const age = async (): Promise<string | undefined> =>
      (await server.app.get(Registry).getSingleMetricAsString('tenure_charts_oldest_change_seconds'))
        .trim()
        .split(' ')
        .at(-1);
    await server.app.get(ChartsRollupJob).run();
    expect(await age()).toBe('0');
    await buy('new-1');
    server.clock.advanceMs(45_000);
    expect(await age()).toBe('45');
  });
});
