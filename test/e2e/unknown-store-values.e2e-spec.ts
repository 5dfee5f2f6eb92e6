import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { UnknownValuesRepository } from '../../src/purchases/unknown-values/unknown-values.repository.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { UnknownValuesService } from '../../src/purchases/unknown-values/unknown-values.service.js';
import type { Json } from '../support/api-client.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const DAY_MS = 86_400_000;

describe('values of stores that the server does not know', () => {
  let server: TestServer;
  let store: TestStore;
  let values: UnknownValuesService;

  beforeAll(async () => {
    server = await startTestServer();
    store = await createTestStore(server);
    values = server.app.get(UnknownValuesService);
  });

  afterAll(() => server.close());

  afterEach(() => jest.restoreAllMocks());

  const createApp = async (): Promise<{ projectId: string; id: string; type: 'stripe' }> => {
    const { body } = await store.backend.post(`${store.path}/apps`, { name: 'Web', type: 'stripe' });
    return { projectId: store.projectId, id: body.id, type: 'stripe' };
  };
  const health = async (): Promise<Json> => (await store.backend.get(`${store.path}/setup_health`)).body;
  const shown = async (appId: string): Promise<Json[]> =>
    (await health()).unknown_store_values.filter((one: Json) => one.app_id === appId);
  const counted = async (field: string): Promise<number> => {
    const text = await server.app.get(Registry).metrics();
    const line = new RegExp(
      `^tenure_store_unknown_values_total\\{store="stripe",field="${field}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(text)?.[1] ?? 0);
  };

  it('lists values in setup health with a warning, most recent first', async () => {
    expect(await health()).toMatchObject({ warnings: [], unknown_store_values: [] });
    const app = await createApp();
    values.record(app, [{ field: 'dispute.status', value: 'mediated' }]);
    await values.flush();
    server.clock.advanceMs(1_000);
    values.record(app, [
      { field: 'dispute.status', value: 'mediated' },
      { field: 'subscription.status', value: 'dormant' },
    ]);
    await values.flush();
    const both = { app_id: app.id, app_name: 'Web', last_seen_at: TEST_START_MS + 1_000 };
    expect(await health()).toMatchObject({
      warnings: [{ type: 'unknown_store_value', values: 2, last_seen_at: TEST_START_MS + 1_000 }],
      unknown_store_values: [
        { ...both, field: 'dispute.status', value: 'mediated', count: 2, first_seen_at: TEST_START_MS },
        { ...both, field: 'subscription.status', value: 'dormant', count: 1 },
      ],
    });
  });

  it('hides values after 30 days and deletes them after 180', async () => {
    const app = await createApp();
    values.record(app, [{ field: 'invoice.status', value: 'parked' }]);
    await values.flush();
    server.clock.advanceMs(30 * DAY_MS);
    expect(await shown(app.id)).toEqual([]);
    const stored = (): Promise<unknown[]> =>
      server.dataSource.query('SELECT 1 FROM store_unknown_values WHERE app_id = $1', [app.id]);
    server.clock.advanceMs(150 * DAY_MS - 1);
    await server.app.get(CleanupsJob).run();
    expect(await stored()).toHaveLength(1);
    server.clock.advanceMs(1);
    await server.app.get(CleanupsJob).run();
    expect(await stored()).toHaveLength(0);
  });

  it('counts values beyond 50 of a field as other values, and cuts each to printable text', async () => {
    const app = await createApp();
    for (let n = 0; n < 60; n++) values.record(app, [{ field: 'charge.status', value: `state-${n}` }]);
    await values.flush();
    values.record(app, [
      { field: 'charge.status', value: 'one more' },
      { field: 'charge.status', value: 'state-0' },
      { field: 'refund.status', value: `\u0000é${'x'.repeat(100)}` },
    ]);
    await values.flush();
    const found = await shown(app.id);
    const ofCharges = found.filter(({ field }) => field === 'charge.status');
    expect(ofCharges).toHaveLength(51);
    expect(ofCharges.find(({ value }) => value === '(other)')).toMatchObject({ count: 11 });
    expect(ofCharges.find(({ value }) => value === 'state-0')).toMatchObject({ count: 2 });
    expect(found.find(({ field }) => field === 'refund.status')).toMatchObject({
      value: `??${'x'.repeat(62)}`,
    });
  });

  it('counts by store and field in the metrics, never by value', async () => {
    const app = await createApp();
    const before = await counted('collection_method');
    for (const value of ['barter', 'barter', 'gift']) {
      values.record(app, [{ field: 'collection_method', value }]);
    }
    expect(await counted('collection_method')).toBe(before + 3);
    const text = await server.app.get(Registry).metrics();
    expect(text).not.toContain('barter');
  });

  it('writes counts later if the database fails, and drops those of a deleted app', async () => {
    await values.flush();
    const [app, gone] = [await createApp(), await createApp()];
    jest
      .spyOn(server.app.get(UnknownValuesRepository), 'add')
      .mockRejectedValueOnce(new Error('The database is down.'));
    values.record(app, [{ field: 'dispute.status', value: 'late' }]);
    await values.flush();
    expect(await shown(app.id)).toEqual([]);
    expect((await store.backend.delete(`${store.path}/apps/${gone.id}`)).status).toBe(200);
    values.record(gone, [{ field: 'dispute.status', value: 'gone' }]);
    await values.flush();
    expect(await shown(app.id)).toMatchObject([{ value: 'late', count: 1 }]);
    expect(await shown(gone.id)).toEqual([]);
  });
});
