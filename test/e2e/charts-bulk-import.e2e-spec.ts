import { jest } from '@jest/globals';
import { ChartRollupRepository } from '../../src/insights/charts/rollup/chart-rollup.repository.js';
import { ChartHistory, HISTORY_NOW_MS } from '../support/charts-histories.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const COMBINATIONS = 5_000;

describe('charts after a bulk import', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('sums no day before PostgreSQL has statistics of its tables', async () => {
    const { dataSource } = server;
    server.clock.setMs(HISTORY_NOW_MS);
    const history = await ChartHistory.create(server, 'bulk');
    const startMs = HISTORY_NOW_MS - 40 * DAY_MS;
    const periods = [{ startMs, endMs: startMs + 30 * DAY_MS, amountMicros: 10_000_000 }];
    await history.sell({ customerId: 'ann', subscription: { storeProductId: 'monthly', periods } });
    // PostgreSQL would collect them some time later.
    for (const table of ['chart_facts', 'chart_dims'])
      await dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    await dataSource.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO chart_dims (project_id, id, level, country)
         SELECT 'bulk', md5(n::text)::uuid, 'purchase', n::text FROM generate_series(1, ${COMBINATIONS}) n`,
      );
      await manager.query('SELECT pg_stat_force_next_flush()');
    });
    const known: number[] = [];
    const repository = server.app.get(ChartRollupRepository);
    const sumDays = repository.sumDays.bind(repository);
    jest.spyOn(repository, 'sumDays').mockImplementation(async (tx, projectId, days) => {
      const [row] = await dataSource.query<{ rows: number }[]>(
        `SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'chart_dims'::regclass`,
      );
      known.push(row?.rows ?? -1);
      await sumDays(tx, projectId, days);
    });
    await history.rollUp();
    expect(known.length).toBeGreaterThan(0);
    expect(Math.min(...known)).toBeGreaterThanOrEqual(COMBINATIONS);
  });
});
