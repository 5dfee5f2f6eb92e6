import { ReportRowsService } from '../../src/exports/report-rows/report-rows.service.js';
import { SqlSessionsService } from '../../src/exports/sql-users/sql-sessions.service.js';
import { ChartsRollupJob } from '../../src/insights/charts/rollup/charts-rollup.job.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { createTestStore, testReceipt, type TestStore } from '../support/arrange-store.js';
import { rollUpReports } from '../support/exports/roll-up-reports.js';
import { createSqlUser } from '../support/sql-access.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('changes of a catalog, in charts and reports', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    store = await createTestStore(server);
    expect((await store.sdk.post('/v1/receipts', testReceipt('ann', server.clock.nowMs()))).status).toBe(200);
    const attributes = { team: { value: 'red', updated_at_ms: server.clock.nowMs() } };
    expect((await store.sdk.post('/v1/subscribers/ann/attributes', { attributes })).status).toBe(200);
    const rows = server.app.get(ReportRowsService);
    await server.app.get(DatabaseService).transaction((tx) => rows.enable(tx, store.projectId));
    server.clock.advanceMs(1);
  });

  const query = <Row>(text: string): Promise<Row[]> =>
    server.dataSource.query<Row[]>(text, [store.projectId]);

  /** The purchase in exports: name and duration of its product, and entitlements. */
  async function exported(): Promise<unknown[]> {
    await rollUpReports(server);
    const rows = await query<object>(
      `SELECT product_display_name, product_duration, entitlement_identifiers FROM report_transactions
       WHERE project_id = $1`,
    );
    return rows.map((row) => Object.values(row)).flat();
  }

  /** The purchase in charts: product and duration. */
  async function charted(): Promise<unknown[]> {
    await server.app.get(ChartsRollupJob).run();
    const rows = await query<object>(
      `SELECT DISTINCT k.product_id, k.product_duration FROM chart_facts f
       JOIN chart_dims k ON k.project_id = $1 AND k.id = f.dims_id WHERE f.project_id = $1`,
    );
    return rows.map((row) => Object.values(row)).flat();
  }

  it('shows new names and durations of products in exports and charts', async () => {
    const { id } = store.products.monthly;
    expect(await exported()).toEqual(['Name of pro_monthly', 'P1M', ['pro']]);
    expect(await charted()).toEqual([id, 'P1M']);
    const changes = { display_name: 'Gold', subscription: { duration: 'P3M' } };
    expect((await store.backend.post(`${store.path}/products/${id}`, changes)).status).toBe(200);
    expect(await exported()).toEqual(['Gold', 'P3M', ['pro']]);
    expect(await charted()).toEqual([id, 'P3M']);
  });

  it('follows a product that is deleted and created again', async () => {
    await exported();
    await charted();
    const { id } = store.products.monthly;
    expect((await store.backend.delete(`${store.path}/products/${id}`)).status).toBe(200);
    expect(await exported()).toEqual([null, null, null]);
    expect(await charted()).toEqual([`${store.appId}/pro_monthly`, 'P1M']);
    const again = await store.backend.post(`${store.path}/products`, {
      store_identifier: 'pro_monthly',
      app_id: store.appId,
      type: 'subscription',
      display_name: 'Again',
      subscription: { duration: 'P2M' },
    });
    expect(await exported()).toEqual(['Again', 'P2M', null]);
    expect(await charted()).toEqual([again.body.id, 'P2M']);
  });

  it('exports entitlements as products are detached and attached, and until they are deleted', async () => {
    const entitlement = `${store.path}/entitlements/${store.entitlements.pro.id}`;
    const products = { product_ids: [store.products.monthly.id] };
    const entitlements = async () => (await exported()).at(-1);
    expect(await entitlements()).toEqual(['pro']);
    await store.backend.post(`${entitlement}/actions/detach_products`, products);
    expect(await entitlements()).toBeNull();
    await store.backend.post(`${entitlement}/actions/attach_products`, products);
    expect(await entitlements()).toEqual(['pro']);
    await store.backend.delete(entitlement);
    expect(await entitlements()).toBeNull();
  });

  it('drops the products of a deleted app from exports and charts', async () => {
    await exported();
    await charted();
    expect((await store.backend.delete(`${store.path}/apps/${store.appId}`)).status).toBe(200);
    expect(await exported()).toEqual([null, null, null]);
    expect(await charted()).toEqual([`${store.appId}/pro_monthly`, 'P1M']);
  });

  it('splits charts by attributes as soon as they are chosen', async () => {
    await charted();
    const attributes = () =>
      query('SELECT DISTINCT attributes FROM chart_dims WHERE project_id = $1 AND attributes IS NOT NULL');
    expect(await attributes()).toEqual([]);
    const chosen = { chart_attributes: ['team'] };
    expect((await store.backend.post(store.path, chosen)).status).toBe(200);
    await charted();
    expect(await attributes()).toEqual([{ attributes: { team: 'red' } }]);
    expect((await store.backend.post(store.path, { ...chosen, name: 'Renamed' })).status).toBe(200);
    expect(await query('SELECT 1 FROM chart_rebuilds WHERE project_id = $1')).toEqual([]);
  });

  const hasRole = async (name: string): Promise<boolean> =>
    (await server.dataSource.query<object[]>('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])).length > 0;

  it('drops the roles of SQL users who are deleted, also with their project', async () => {
    const path = `${store.path}/sql_users`;
    const [first, second] = [await createSqlUser(store), await createSqlUser(store)];
    expect((await store.session.delete(`${path}/${first.id}`)).status).toBe(200);
    expect([await hasRole(first.role_name), await hasRole(second.role_name)]).toEqual([false, true]);
    expect((await store.session.delete(store.path)).status).toBe(200);
    expect(await query('SELECT 1 FROM sql_users WHERE project_id = $1')).toEqual([]);
    await server.app.get(SqlSessionsService).watch();
    expect(await hasRole(second.role_name)).toBe(false);
  });

  it('marks nothing any more once the project is deleted', async () => {
    expect(await exported()).toHaveLength(3);
    expect((await store.session.delete(store.path)).status).toBe(200);
    expect(await query('SELECT enabled FROM report_projects WHERE project_id = $1')).toEqual([
      { enabled: false },
    ]);
  });
});
