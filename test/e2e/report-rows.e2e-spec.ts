import { Registry } from 'prom-client';
import { ReportConsumers } from '../../src/exports/report-rows/report-consumers.service.js';
import { ReportRowsService } from '../../src/exports/report-rows/report-rows.service.js';
import { ReportUpkeepJob } from '../../src/exports/report-rows/report-upkeep.job.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { runCommand } from '../support/command-line.js';
import { fullContents } from '../support/report-folds.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the rollup of report rows', () => {
  let server: TestServer;
  let store: TestStore;
  let rows: ReportRowsService;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
    rows = server.app.get(ReportRowsService);
  });

  afterAll(() => server.close());

  let bought = 0;
  const buy = async (appUserId: string): Promise<void> => {
    const receipt = testReceipt(appUserId, server.clock.nowMs() - ++bought);
    expect((await store.sdk.post('/v1/receipts', receipt)).status).toBe(200);
  };
  const status = () => rows.status(server.app.get(DatabaseService), store.projectId);
  const buyers = async (): Promise<string[]> => {
    const found = await server.dataSource.query<{ id: string }[]>(
      `SELECT c.original_app_user_id AS id FROM report_transactions t
       JOIN report_customers c ON c.project_id = t.project_id AND c.customer_id = t.customer_id
       WHERE t.project_id = $1 ORDER BY 1`,
      [store.projectId],
    );
    return found.map(({ id }) => id);
  };

  it('needs no marks until rows are enabled', async () => {
    await buy('ann');
    await rollUpReports(server);
    expect(await buyers()).toEqual([]);
    expect(await server.dataSource.query('SELECT 1 FROM report_changes')).toEqual([]);
    expect(await status()).toEqual({ isBuilt: false, seq: 0, dataUntilMs: 0, codeVersion: 0 });
  });

  it('includes purchases before and after rows are enabled', async () => {
    await server.app.get(DatabaseService).transaction((tx) => rows.enable(tx, store.projectId));
    expect(await status()).toMatchObject({ isBuilt: false, seq: 0 });
    await rollUpReports(server);
    expect(await buyers()).toEqual(['ann']);
    expect(await status()).toMatchObject({ isBuilt: true, seq: 1, codeVersion: 1 });
    await buy('bob');
    await rollUpReports(server);
    expect(await buyers()).toEqual(['ann', 'bob']);
    expect(await status()).toMatchObject({ isBuilt: true, seq: 2 });
  });

  const run = (): Promise<void> => rollUpReports(server);
  const contents = () => fullContents(server.app.get(DatabaseService), store.projectId);
  const comparable = (found: Awaited<ReturnType<typeof contents>>) =>
    Object.entries(found).map(([name, rowsByKey]) => [
      name,
      Object.fromEntries([...rowsByKey].map(([key, row]) => [key, { ...row, updated_at: null }]).sort()),
    ]);
  const query = <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    server.dataSource.query<Row[]>(text, [store.projectId, ...values]);

  /** Rows that no mark announced would differ after a rebuild. */
  async function expectRebuildToChangeNothing(): Promise<void> {
    await run();
    const { seq } = await status();
    const before = comparable(await contents());
    await rows.rebuild(store.projectId);
    await run();
    expect(comparable(await contents())).toEqual(before);
    expect((await status()).seq).toBe(seq);
  }

  it('follows the catalog, experiments and the passing of time', async () => {
    const { backend, path, entitlements, products } = store;
    await backend.post('/v1/subscribers/ann/entitlements/pro/promotional', { duration: 'monthly' });
    await run();
    const changes: [string, () => Promise<unknown>][] = [
      [
        'detached',
        () =>
          backend.post(`${path}/entitlements/${entitlements.pro.id}/actions/detach_products`, {
            product_ids: [products.monthly.id],
          }),
      ],
      [
        'attached',
        () =>
          backend.post(`${path}/entitlements/${entitlements.pro.id}/actions/attach_products`, {
            product_ids: [products.monthly.id],
          }),
      ],
      [
        'enrolled',
        () =>
          query(
            `WITH e AS (INSERT INTO experiments (project_id, id, status, display_name, offerings, enrollment_percentage,
               enrollment_mode, conditions, primary_metric, secondary_metrics, priority, created_at, updated_at)
             VALUES ($1, 'prexp1', 'stopped', 'x', '[]', 100, 'only_new', '[]', 'revenue', '[]', 1, now(), now()))
             SELECT 1 FROM projects WHERE id = $1`,
          ).then(() =>
            query(
              `INSERT INTO experiment_enrollments (project_id, customer_id, experiment_id, variant, enrolled_at,
                 app_user_id, is_sandbox)
               SELECT $1, customer_id, 'prexp1', 'a', now(), app_user_id, true FROM customer_aliases
               WHERE project_id = $1 AND app_user_id = 'bob'`,
            ),
          ),
      ],
      [
        'expired',
        async () => {
          server.clock.advanceMs(40 * 24 * 3_600_000);
          await server.app.get(DueWorkJob).run();
        },
      ],
      ['without the entitlement', () => backend.delete(`${path}/entitlements/${entitlements.pro.id}`)],
    ];
    for (const [change, make] of changes) {
      const { seq } = await status();
      await make();
      await run();
      expect([change, (await status()).seq > seq]).toEqual([change, true]);
      await expectRebuildToChangeNothing();
    }
    const { subscriptions } = await contents();
    expect([...subscriptions.values()].map(({ status: state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'expired'),
    );
  });

  it('reports changes that rows do not include yet', async () => {
    const figure = async (name: string): Promise<number> =>
      Number((await server.app.get(Registry).getSingleMetricAsString(name)).trim().split(' ').at(-1));
    expect(await figure('tenure_report_marks_waiting')).toBe(0);
    await buy('eve');
    await query(`UPDATE report_changes SET changed_at = now() - interval '45 seconds' WHERE project_id = $1`);
    expect(await figure('tenure_report_marks_waiting')).toBe(1);
    expect(Math.round(await figure('tenure_report_oldest_mark_seconds'))).toBeGreaterThanOrEqual(45);
    const { dataUntilMs } = await status();
    expect(Date.now() - dataUntilMs).toBeGreaterThan(40_000);
    await run();
    expect(await figure('tenure_report_marks_waiting')).toBe(0);
  });

  it('rebuilds rows by command', async () => {
    await query('DELETE FROM report_transactions WHERE project_id = $1');
    const environment = {
      DATABASE_URL: server.databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_DEMO: 'false',
    };
    const rebuilt = await runCommand(['exports', 'rebuild', '--project', store.projectId], environment);
    expect(rebuilt).toMatchObject({ status: 0 });
    expect((await contents()).transactions.size).toBe(4);
    const unknown = await runCommand(['exports', 'rebuild', '--project', 'proj0'], environment);
    expect(unknown.status).toBe(1);
  });

  it('deletes rows that nothing has used for 30 days, and builds them again', async () => {
    const upkeep = (): Promise<void> => server.app.get(ReportUpkeepJob).run();
    let isUsed = true;
    server.app.get(ReportConsumers).register('test', () => Promise.resolve(isUsed));
    const unused = () =>
      query<{ since: Date | null }>(
        'SELECT unused_since AS since FROM report_projects WHERE project_id = $1',
      );
    await upkeep();
    expect(await unused()).toEqual([{ since: null }]);
    isUsed = false;
    await upkeep();
    expect(await unused()).toEqual([{ since: expect.any(Date) as Date }]);
    const { seq } = await status();
    await query(`UPDATE report_projects SET unused_since = now() - interval '31 days' WHERE project_id = $1`);
    await upkeep();
    expect(await status()).toMatchObject({ isBuilt: false, seq: 0 });
    for (const table of [
      'report_transactions',
      'report_customers',
      'report_subscriptions',
      'report_deletions',
    ]) {
      expect(await query(`SELECT 1 FROM ${table} WHERE project_id = $1`)).toEqual([]);
    }
    await server.app.get(DatabaseService).transaction((tx) => rows.enable(tx, store.projectId));
    await run();
    expect((await contents()).transactions.size).toBe(4);
    expect((await status()).seq).toBeGreaterThan(seq);
  });
});
