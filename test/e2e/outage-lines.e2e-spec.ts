import { ErasureJob } from '../../src/support/lifecycle/erasure.job.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { ClockSkewService } from '../../src/platform/jobs/clock-skew.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { SelfCheckJob } from '../../src/purchases/self-check/self-check.job.js';
import { NotificationWorkerJob } from '../../src/stores/notifications/notification-worker.job.js';
import { StoreTasksService } from '../../src/purchases/store-tasks/store-tasks.service.js';
import { StoreRefreshJob } from '../../src/stores/shared/store-refresh.job.js';
import { TestClockJob } from '../../src/test-store/test-clocks/test-clock.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createTestDatabase, databaseSettings } from '../support/database/index.js';
import { startFreezingProxy } from '../support/freezing-proxy.mjs';
import { startTestServer } from '../support/test-server.js';

interface Line {
  level: string;
  msg: string;
  err?: { type: string; code?: string; message: string };
}

describe('a worker without a database', () => {
  it('writes one line for each cause, not one for each poll', async () => {
    const database = await createTestDatabase();
    const settings = databaseSettings(database.url);
    const url = new URL(settings.DATABASE_URL ?? '');
    const proxy = await startFreezingProxy(Number(url.port), url.hostname);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const lines: Line[] = [];
    const server = await startTestServer({
      databaseUrl: database.url,
      env: { ...settings, DATABASE_URL: url.toString(), SERVICE_ROLE: 'worker' },
      logTo: (line) => lines.push(JSON.parse(line) as Line),
    });
    const polls: (() => Promise<void>)[] = [
      () => server.app.get(DueWorkJob).run(),
      () => server.app.get(DeliveryDispatcherService).drain(),
      () => server.app.get(NotificationWorkerJob).drain(),
      () => server.app.get(StoreTasksService).drain(),
      () => server.app.get(StoreRefreshJob).drain(),
      () => server.app.get(ErasureJob).drain(),
      () => server.app.get(TestClockJob).drain(),
      () => server.app.get(SelfCheckJob).drain(),
      () => server.app.get(ChartsRollupJob).run(),
      () => server.app.get(ClockSkewService).compare(),
    ];
    proxy.close();
    for (let round = 0; round < 5; round++) for (const poll of polls) await poll();
    const failures = lines.filter(({ err }) => err !== undefined);
    const causes = failures.map(({ err }) => `${err?.type} ${err?.code ?? err?.message}`);
    expect(causes).toContain('Error ECONNREFUSED');
    expect(new Set(causes).size).toBe(causes.length);
    expect(causes.length).toBeLessThan(4);
    await server.close();
    await database.drop();
  });
});
