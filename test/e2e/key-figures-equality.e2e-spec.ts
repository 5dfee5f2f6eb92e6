import fc from 'fast-check';
import { KeyFiguresService } from '../../src/insights/charts/key-figures/key-figures.service.js';
import { MetricsRollupJob } from '../../src/insights/metrics/metrics-rollup.job.js';
import { MetricsService } from '../../src/insights/metrics/metrics.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { HISTORY_NOW_MS, playHistory, steps } from '../support/charts-histories.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const seed = fc.readConfigureGlobal().seed ?? 0;
const runs = Number(process.env.EQUALITY_RUNS ?? 12);

describe(`key figures from charts (seed ${seed})`, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function check(projectId: string): Promise<void> {
    const nowMs = server.clock.nowMs();
    const figures = server.app.get(KeyFiguresService, { strict: false });
    const metrics = server.app.get(MetricsService);
    await figures.catchUp(projectId);
    for (const environment of ['production', 'sandbox'] as const) {
      const overview = await metrics.overview(projectId, environment);
      const read = (fromMs: number) =>
        server.app.get(DatabaseService).snapshotForReading((snapshot) =>
          figures.days(snapshot, { projectId, environment, currency: 'USD', fromMs, nowMs }),
        );
      const days = await read(nowMs - 28 * DAY_MS);
      const sum = (pick: (day: (typeof days)[number]) => number) => days.reduce((all, day) => all + pick(day), 0);
      const last = days.at(-1);
      expect({
        trials: last?.trials,
        subscriptions: last?.subscriptions,
        mrr: last?.mrr,
        revenue: Math.round(sum(({ revenueMicros }) => revenueMicros) / 1e4),
        transactions: sum(({ transactions }) => transactions),
      }).toEqual({
        trials: overview.active_trials.value,
        subscriptions: overview.active_subscriptions.value,
        mrr: overview.mrr.value,
        revenue: Math.round(overview.revenue.value * 100),
        transactions: overview.num_tx_last_28_days.value,
      });
      const long = (await read(Math.floor(nowMs / DAY_MS) * DAY_MS - 199 * DAY_MS)).slice(100);
      for (const [metric, field] of [
        ['active_trials', 'trials'],
        ['active_subscriptions', 'subscriptions'],
        ['mrr', 'mrr'],
      ] as const) {
        const history = await metrics.history(projectId, { metric, days: 100, environment });
        expect(long.map((day) => [metric, day.day, day[field]])).toEqual(
          history.values.map(({ day, value }) => [metric, day, value]),
        );
      }
      const history = await metrics.history(projectId, { metric: 'revenue', days: 100, environment });
      expect(long.map(({ day, revenueMicros }) => [day, Math.round(revenueMicros / 1e4)])).toEqual(
        history.values.map(({ day, value }) => [day, Math.round(value * 100)]),
      );
    }
  }

  it('are those of the metrics', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        server.clock.setMs(HISTORY_NOW_MS);
        const history = await playHistory(server, `project${++count}`, taken);
        server.clock.setMs(HISTORY_NOW_MS + 3 * DAY_MS);
        await check(history.projectId);
        await history.rollUp();
        await server.app.get(MetricsRollupJob).run();
        await check(history.projectId);
        server.clock.advanceMs(19 * HOUR_MS);
        await check(history.projectId);
      }),
      { seed, numRuns: runs, endOnFailure: true },
    );
  });
});
