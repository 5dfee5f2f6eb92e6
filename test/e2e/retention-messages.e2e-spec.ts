import { randomUUID } from 'node:crypto';
import { Config } from '../../src/platform/config/config.js';
import { createSecretKey } from '../support/arrange.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import type { Answer, Json } from '../support/api-client.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import { serverError, unauthorized } from '../support/fake-app-store/fake-server-api.js';

const text = { header: 'Before you go', body: 'Your notes stay in sync while you subscribe.' };

describe('retention messages of an app', () => {
  let world: AppStoreWorld;
  let path: string;

  beforeAll(async () => {
    world = await startAppStoreWorld();
    path = `${world.path}/apps/${world.appId}/retention_messages`;
    await world.configure(world.keyFields);
  });
  beforeEach(() => {
    world.api.interfere = () => undefined;
    world.clock.advanceMs(61_000);
  });
  afterAll(() => world.close());

  const create = (more: object = {}): Promise<Answer> => world.backend.post(path, { ...text, ...more });
  const list = async (environment = 'production'): Promise<Json[]> =>
    (await world.backend.get(`${path}?environment=${environment}`)).body.items;
  const listCalls = (): number =>
    world.api.calls.filter(({ path: called }) => called.endsWith('/message/list')).length;
  const audited = async (): Promise<string[]> =>
    (await world.session.get(`${world.path}/audit_logs?limit=100`)).body.items.map(
      ({ action_type }: Json) => action_type,
    );

  it('sends a text to Apple and shows the state of its review', async () => {
    const created = await create();
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      object: 'retention_message',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      app_id: world.appId,
      environment: 'production',
      state: 'pending_review',
      ...text,
      created_at: world.clock.nowMs(),
    });
    world.api.retention.Production.review(created.body.id, 'REJECTED');
    world.clock.advanceMs(61_000);
    expect(await list()).toEqual([{ ...created.body, state: 'rejected' }]);
    expect(await audited()).toContain('retention_message_created');
  });

  it('lists messages that were not created here without their texts', async () => {
    const id = randomUUID();
    world.api.retention.Production.messages.set(id, { ...text, state: 'APPROVED' });
    const found = (await list()).find((message) => message.id === id);
    expect(found).toMatchObject({ state: 'approved', header: null, body: null, created_at: null });
  });

  it('shows a state that it does not know as unknown', async () => {
    const id = randomUUID();
    world.api.retention.Production.messages.set(id, { ...text, state: 'PAUSED' as 'APPROVED' });
    expect((await list()).find((message) => message.id === id)?.state).toBe('unknown');
    world.api.retention.Production.messages.delete(id);
  });

  it('asks Apple at most once a minute, and again after a change', async () => {
    await list();
    const before = listCalls();
    await list();
    world.clock.advanceMs(59_000);
    await list();
    expect(listCalls()).toBe(before);
    world.clock.advanceMs(2_000);
    await list();
    expect(listCalls()).toBe(before + 1);
    const { id } = (await create()).body;
    expect((await list()).map((message) => message.id)).toContain(id);
  });

  it('asks again after a failure', async () => {
    world.api.interfere = () => serverError;
    expect((await world.backend.get(path)).status).toBe(503);
    world.api.interfere = () => undefined;
    expect((await world.backend.get(path)).status).toBe(200);
  });

  it('separates the environments', async () => {
    const { body } = await create({ environment: 'sandbox' });
    expect(body).toMatchObject({ environment: 'sandbox', state: 'approved' });
    expect((await list('sandbox')).map(({ id }) => id)).toEqual([body.id]);
    expect((await list()).map(({ id }) => id)).not.toContain(body.id);
  });

  it('deletes a message', async () => {
    const { id } = (await create()).body;
    const deleted = await world.backend.delete(`${path}/${id}`);
    expect(deleted.body).toEqual({ object: 'retention_message', id, deleted_at: world.clock.nowMs() });
    expect(world.api.retention.Production.messages.has(id)).toBe(false);
    expect((await list()).map((message) => message.id)).not.toContain(id);
    expect((await world.backend.delete(`${path}/${id}`)).status).toBe(404);
    expect((await world.backend.delete(`${path}/no-uuid`)).status).toBe(404);
    expect(await audited()).toContain('retention_message_deleted');
  });

  it('sets and removes the default of a product and a locale', async () => {
    const { id } = (await create()).body;
    const set = (body: object): Promise<Answer> => world.backend.send('PUT', `${path}/default`, body);
    const wanted = { product_id: world.products.monthly.id, locale: 'en-US', message_id: id };
    const early = await set(wanted);
    expect([early.status, early.body.type]).toEqual([422, 'store_error']);
    expect(early.body.message).toContain('not approved');
    world.api.retention.Production.review(id, 'APPROVED');
    const answer = await set(wanted);
    expect(answer.body).toEqual({
      object: 'retention_default',
      app_id: world.appId,
      environment: 'production',
      ...wanted,
      product_id: 'pro_monthly',
    });
    expect(world.api.retention.Production.defaults.get('pro_monthly en-US')).toBe(id);
    expect((await set({ ...wanted, message_id: null })).status).toBe(200);
    expect((await set({ ...wanted, message_id: null })).status).toBe(200);
    expect(world.api.retention.Production.defaults.size).toBe(0);
    for (const [field, value] of [
      ['product_id', 'no_such_product'],
      ['message_id', randomUUID()],
      ['message_id', 'no-uuid'],
    ] as const) {
      const missing = await set({ ...wanted, [field]: value });
      expect([missing.status, missing.body.param]).toEqual([404, field]);
    }
    const bad = await set({ ...wanted, locale: '../en' });
    expect([bad.status, bad.body.param]).toEqual([400, 'locale']);
  });

  it('registers the address in production only after a passed test in the sandbox', async () => {
    const register = (body: object = {}): Promise<Answer> =>
      world.backend.post(`${path}/actions/configure_url`, body);
    const account = world.store.account('Sandbox');
    const { originalTransactionId } = world.store.subscribe(account, fakeProducts.monthly);
    const start = (id = originalTransactionId): Promise<Answer> =>
      world.backend.post(`${path}/actions/test`, { original_transaction_id: id });
    expect((await register()).body.message).toContain('passed performance test');
    expect((await start()).body.message).toContain('no URL');
    const registered = await register({ environment: 'sandbox' });
    const url = `${world.server.app.get(Config).baseUrl}/v1/stores/app_store/${world.appId}/retention_message`;
    expect(registered.body).toMatchObject({ object: 'retention_url', environment: 'sandbox', url });
    expect(world.api.retention.Sandbox.url).toBe(url);

    expect((await start('1')).status).toBe(422);
    const started = await start();
    expect(started.body).toMatchObject({ state: 'pending', success_rate: null, response_times_ms: null });
    expect((await start()).body.message).toContain('running');
    const result = async (): Promise<Json> =>
      (await world.backend.get(`${path}/tests/${started.body.id}`)).body;
    expect(await result()).toMatchObject({ state: 'pending', pending_count: 1_000 });
    world.api.retention.Sandbox.finishTests('FAIL');
    expect(await result()).toMatchObject({ state: 'fail', failures: { TIMED_OUT: 390 } });
    expect((await register()).status).toBe(422);
    world.api.retention.Sandbox.finishTests('PASS');
    expect(await result()).toMatchObject({
      object: 'retention_test',
      state: 'pass',
      success_rate: 100,
      response_times_ms: { average: 40, p50: 35, p90: 60, p95: 80, p99: 120 },
    });
    expect((await register()).status).toBe(200);
    expect(await audited()).toEqual(
      expect.arrayContaining(['app_retention_url_registered', 'app_retention_test_started']),
    );
    for (const id of [randomUUID(), 'no-uuid'])
      expect((await world.backend.get(`${path}/tests/${id}`)).status).toBe(404);
  });

  it('rejects texts that Apple would refuse, naming the field', async () => {
    for (const [field, value] of [
      ['header', 'x'.repeat(67)],
      ['header', ''],
      ['body', 'x'.repeat(145)],
      ['body', undefined],
      ['environment', 'xcode'],
    ] as const) {
      const answer = await create({ [field]: value });
      expect([answer.status, answer.body.param]).toEqual([400, field]);
    }
    const longest = await create({ header: '💜'.repeat(66), body: '💜'.repeat(144) });
    expect(longest.status).toBe(201);
    expect((await world.backend.get(`${path}?environment=xcode`)).body.param).toBe('environment');
  });

  it('reports what is wrong with the key or the app', async () => {
    world.api.interfere = () => unauthorized;
    expect((await create()).body.message).toContain('subscription_private_key');
    world.api.interfere = () => undefined;
    await world.configure({ subscription_private_key: null });
    const missing = await create();
    expect([missing.status, missing.body.type]).toEqual([422, 'unprocessable_entity_error']);
    await world.configure(world.keyFields);
    const play = await world.backend.post(`${world.path}/apps`, {
      name: 'Android app',
      type: 'play_store',
      play_store: { package_name: 'com.example.app' },
    });
    const wrong = await world.backend.get(`${world.path}/apps/${play.body.id}/retention_messages`);
    expect([wrong.status, wrong.body.message]).toEqual([422, 'Only the App Store has retention messages.']);
  });

  it("does not lead to another project's app", async () => {
    const project = await world.session.post('/v2/projects', { name: 'Another' });
    const foreign = `/v2/projects/${project.body.id}/apps/${world.appId}/retention_messages`;
    const calls: [string, string, object?][] = [
      ['GET', foreign],
      ['POST', foreign, text],
      ['PUT', `${foreign}/default`, { product_id: 'a', locale: 'en', message_id: null }],
      ['POST', `${foreign}/actions/configure_url`, {}],
      ['POST', `${foreign}/actions/test`, { original_transaction_id: '1' }],
      ['GET', `${foreign}/tests/${randomUUID()}`],
      ['DELETE', `${foreign}/${randomUUID()}`],
    ];
    for (const [method, url, body] of calls)
      expect((await world.session.send(method, url, body)).status).toBe(404);
  });

  it('lets keys that may only read apps change nothing', async () => {
    const { client } = await createSecretKey(world.session, world.projectId, [
      'project_configuration:apps:read',
    ]);
    expect((await client.get(path)).status).toBe(200);
    expect((await client.post(path, text)).status).toBe(403);
    expect((await client.post(`${path}/actions/configure_url`, {})).status).toBe(403);
    expect((await client.delete(`${path}/${randomUUID()}`)).status).toBe(403);
  });
});
