import { systemChange } from '../../src/platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../src/platform/audit/project-writes.service.js';
import { ConcurrentChange } from '../../src/platform/database/database-errors.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const DAY_MS = 86_400_000;

describe('the audit log of a project', () => {
  let server: TestServer;
  let session: ApiClient;
  let email: string;
  let backend: ApiClient;
  let keyId: string;
  let path: string;

  // Newest first: what comes later must be later.
  beforeEach(() => server.clock.advanceMs(1));

  const log = async (query = ''): Promise<Json[]> =>
    (await backend.get(`${path}/audit_logs${query}`)).body.items;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    const owner = await signUp(server);
    server.clock.advanceMs(1);
    ({ session, email } = owner);
    path = `/v2/projects/${owner.projectId}`;
    const key = await createSecretKey(session, owner.projectId);
    ({ client: backend, id: keyId } = key);
  });

  afterAll(() => server.close());

  it('begins with the project, made by the person who signed up', async () => {
    const first = (await log()).at(-1);
    expect(first).toMatchObject({
      object: 'audit_log',
      action_type: 'project_created',
      target_type: 'project',
      target_identifier: path.slice('/v2/projects/'.length),
      actor_type: 'user',
      actor_identifier: email,
      occurred_at: TEST_START_MS,
    });
  });

  it('tells what a person did from what a key did', async () => {
    await session.post(`${path}/entitlements`, { lookup_key: 'by_person', display_name: 'A' });
    server.clock.advanceMs(1);
    const { body } = await backend.post(`${path}/entitlements`, { lookup_key: 'by_key', display_name: 'A' });
    const [byKey, byPerson] = await log();
    expect(byPerson).toMatchObject({ actor_type: 'user', actor_identifier: email });
    expect(byKey).toMatchObject({
      action_type: 'entitlement_created',
      target_type: 'entitlement',
      target_identifier: body.id,
      actor_type: 'api_key',
      actor_identifier: keyId,
      additional_data: { method: 'POST', status: 201 },
    });
  });

  it('has changed fields with old and new values, and never shows a secret', async () => {
    const secret = 'S3CRET'.repeat(6).slice(0, 32);
    const created = await backend.post(`${path}/apps`, {
      name: 'Phone',
      type: 'app_store',
      app_store: { bundle_id: 'com.example.app' },
    });
    server.clock.advanceMs(1);
    await backend.post(`${path}/apps/${created.body.id}`, {
      name: 'Phones',
      app_store: { shared_secret: secret, bundle_id: 'com.example.other' },
    });
    const [change] = await log();
    expect(change.additional_data).toEqual({
      method: 'POST',
      status: 200,
      changed_fields: ['name', 'sealed_credentials.shared_secret', 'store_settings.bundle_id'],
      changes: {
        name: { old: 'Phone', new: 'Phones' },
        'store_settings.bundle_id': { old: 'com.example.app', new: 'com.example.other' },
      },
    });
    expect(JSON.stringify(await log())).not.toContain(secret);
    const { body: app } = await backend.post(`${path}/apps`, { name: 'Test', type: 'test_store' });
    const product = await backend.post(`${path}/products`, {
      store_identifier: 'audited',
      app_id: app.id,
      type: 'subscription',
      display_name: 'Old',
      subscription: { duration: 'P1M' },
    });
    server.clock.advanceMs(1);
    await backend.post(`${path}/products/${product.body.id}`, {
      display_name: 'New',
      subscription: { duration: 'P1Y' },
    });
    expect((await log('?limit=1'))[0].additional_data.changes).toEqual({
      display_name: { old: 'Old', new: 'New' },
      duration: { old: 'P1M', new: 'P1Y' },
    });
  });

  it('shows URLs without query, and no header or secret of a webhook', async () => {
    const hook = await backend.post(`${path}/integrations/webhooks`, {
      name: 'Hook',
      url: 'https://93.184.216.34/old?key=S3CRETb',
      authorization_header: 'Bearer S3CRETc',
    });
    expect(hook.status).toBe(201);
    server.clock.advanceMs(1);
    await backend.post(`${path}/integrations/webhooks/${hook.body.id}`, {
      url: 'https://93.184.216.34/new?key=S3CRETd',
      authorization_header: 'Bearer S3CRETe',
      event_types: ['renewal'],
    });
    const [change] = await log('?limit=1');
    expect(change.additional_data).toEqual({
      method: 'POST',
      status: 200,
      changed_fields: ['event_types', 'sealed_authorization_header', 'url'],
      changes: {
        event_types: { old: [], new: ['renewal'] },
        url: { old: 'https://93.184.216.34/old', new: 'https://93.184.216.34/new' },
      },
    });
    expect(JSON.stringify(await log('?limit=100'))).not.toContain('S3CRET');
  });

  it('has old and new settings of the project', async () => {
    await backend.post(path, { sandbox_transfer_behavior: 'share' });
    const [change] = await log('?limit=1');
    expect(change).toMatchObject({
      action_type: 'project_settings_updated',
      additional_data: { changes: { sandbox_transfer_behavior: { old: null, new: 'share' } } },
    });
  });

  it('has no row for what failed', async () => {
    const before = (await log()).length;
    const failed = await backend.post(`${path}/entitlements`, { lookup_key: 'by_key', display_name: 'A' });
    expect(failed.status).toBe(409);
    expect(await log()).toHaveLength(before);
  });

  it('filters by whole UTC days, both ends included', async () => {
    server.clock.advanceMs(DAY_MS);
    await backend.post(path, { name: 'Renamed' });
    const days = async (query: string) =>
      (await log(query)).map(({ action_type }: Json) => action_type as string);
    expect(await days('?start_date=2026-01-03&end_date=2026-01-03')).toEqual(['project_name_updated']);
    expect(await days('?start_date=2026-01-04')).toEqual([]);
    expect(await days('?end_date=2026-01-02')).not.toContain('project_name_updated');
    expect(await days('?end_date=2026-01-02&start_date=2026-01-02')).toContain('project_created');
  });

  it('answers 400 naming a date that is none', async () => {
    for (const date of ['2026-02-30', '2026-1-1', 'yesterday', '2026-13-01']) {
      const answer = await backend.get(`${path}/audit_logs?start_date=${date}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ type: 'parameter_error', param: 'start_date' });
    }
  });

  it('pages through every row once, and refuses cursors of other lists', async () => {
    const all = await log('?limit=100');
    const walked = await walkList(backend, `${path}/audit_logs`, 2);
    expect(walked.map(({ id }: Json) => id as string)).toEqual(all.map(({ id }: Json) => id as string));
    const foreign = await backend.get(`${path}/audit_logs?starting_after=${keyId}`);
    expect(foreign.status).toBe(400);
    expect(foreign.body.param).toBe('starting_after');
  });

  it('has each entry by its id, for its own project only', async () => {
    const [, entry] = await log('');
    const found = await backend.get(`${path}/audit_logs/${entry.id}`);
    expect([found.status, found.body]).toEqual([200, entry]);
    expect((await backend.get(`${path}/audit_logs/unknown`)).status).toBe(404);
    const stranger = await signUp(server);
    const foreign = `/v2/projects/${stranger.projectId}/audit_logs/${entry.id}`;
    expect((await stranger.session.get(foreign)).status).toBe(404);
    expect((await stranger.session.get(`${path}/audit_logs/${entry.id}`)).status).toBe(404);
    const { client } = await createSecretKey(session, path.slice('/v2/projects/'.length), [
      'project_configuration:apps:read',
    ]);
    expect((await client.get(`${path}/audit_logs/${entry.id}`)).status).toBe(403);
  });

  it('hides from other projects, and needs its permission', async () => {
    const stranger = await signUp(server);
    expect((await stranger.session.get(`${path}/audit_logs`)).status).toBe(404);
    const { client } = await createSecretKey(session, path.slice('/v2/projects/'.length), [
      'project_configuration:apps:read',
    ]);
    const refused = await client.get(`${path}/audit_logs`);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('`project_configuration:audit_logs:read`');
  });

  describe('with filters', () => {
    const customer = 'a%2Fb $x:1';
    const found = async (query: Record<string, string>, client = backend): Promise<string[]> => {
      const answer = await client.get(`${path}/audit_logs?${String(new URLSearchParams(query))}`);
      expect(answer.status).toBe(200);
      return answer.body.items.map(({ action_type }: Json) => action_type as string);
    };
    let entitlement: string;

    beforeAll(async () => {
      const made = await session.post(`${path}/entitlements`, { lookup_key: 'filtered', display_name: 'A' });
      entitlement = made.body.id;
      const encoded = encodeURIComponent(customer);
      const writes = [
        () => backend.post(`${path}/customers`, { id: customer }),
        () => session.post(`${path}/blocked_customers`, { app_user_id: customer }),
        () => backend.post(`${path}/customers`, { id: 'another' }),
        () =>
          backend.post(`${path}/customers/${encoded}/attributes`, {
            attributes: [{ name: 'x', value: 'y' }],
          }),
        // An object of another kind whose id is the customer's name.
        () => backend.post(`${path}/virtual_currencies`, { code: 'GLD', name: 'Gold' }),
        () => backend.post(`${path}/customers`, { id: 'GLD' }),
      ];
      for (const write of writes) {
        server.clock.advanceMs(1);
        expect((await write()).status).toBeLessThan(300);
      }
    });

    it('finds what happened to a customer, blocking included, and nothing else', async () => {
      expect(await found({ customer_id: customer })).toEqual([
        'customer_attributes_set',
        'blocked_customer_created',
        'customer_created',
      ]);
      expect(await found({ customer_id: 'GLD' })).toEqual(['customer_created']);
      expect(await found({ target_identifier: 'GLD' })).toEqual([
        'customer_created',
        'virtual_currency_created',
      ]);
      expect(await found({ target_identifier: entitlement })).toEqual(['entitlement_created']);
      expect(await found({ customer_id: 'a' })).toEqual([]);
    });

    it('finds one kind of change and one actor, also together and within days', async () => {
      expect(await found({ action_type: 'blocked_customer_created' })).toHaveLength(1);
      expect(await found({ actor_identifier: email, action_type: 'customer_created' })).toEqual([]);
      expect(await found({ actor_identifier: keyId, customer_id: customer })).toEqual([
        'customer_attributes_set',
        'customer_created',
      ]);
      const day = new Date(server.clock.nowMs()).toISOString().slice(0, 10);
      const dayBefore = new Date(server.clock.nowMs() - DAY_MS).toISOString().slice(0, 10);
      const created = { customer_id: customer, action_type: 'customer_created' };
      expect(await found({ ...created, start_date: day, end_date: day })).toEqual(['customer_created']);
      expect(await found({ ...created, end_date: dayBefore })).toEqual([]);
    });

    it('pages within its filters, and refuses the cursor of a row that they leave out', async () => {
      const query = `customer_id=${encodeURIComponent(customer)}&actor_identifier=${keyId}`;
      const first = await backend.get(`${path}/audit_logs?limit=1&${query}`);
      expect(first.body.items).toHaveLength(1);
      const second = await backend.get(first.body.next_page);
      expect(second.body.items.map(({ action_type }: Json) => action_type as string)).toEqual([
        'customer_created',
      ]);
      expect(second.body.next_page).toBeNull();
      const [blocked] = await log('?action_type=blocked_customer_created');
      const foreign = await backend.get(`${path}/audit_logs?${query}&starting_after=${blocked.id}`);
      expect([foreign.status, foreign.body.param]).toEqual([400, 'starting_after']);
    });

    it('answers 400 naming a filter that cannot be one', async () => {
      const wrong = [
        ['action_type', 'customer_painted'],
        ['action_type', 'customer_created,project_created'],
        ['customer_id', ''],
        ['target_identifier', 'x'.repeat(1501)],
        ['actor_identifier', ''],
      ];
      for (const [param, value] of wrong) {
        const { status, body } = await backend.get(`${path}/audit_logs?${param}=${value}`);
        expect([status, body.type, body.param]).toEqual([400, 'parameter_error', param]);
      }
    });

    it('finds nothing of another project', async () => {
      const stranger = await signUp(server);
      const theirs = await stranger.session.get(
        `/v2/projects/${stranger.projectId}/audit_logs?customer_id=${encodeURIComponent(customer)}`,
      );
      expect(theirs.body.items).toEqual([]);
    });
  });

  describe('within the transaction of a write', () => {
    const noted = async (): Promise<string[]> =>
      (await log('?limit=100'))
        .filter(({ action_type: action }) => /^customer_erased/.test(action as string))
        .map(({ target_identifier: id }) => id as string);
    const run = (work: (tx: WriteTransaction) => Promise<void>): Promise<void> =>
      server.app
        .get(ProjectWritesService)
        .run({ ...systemChange, projectId: path.slice('/v2/projects/'.length) }, work);
    const note = (tx: WriteTransaction, targetId: string): Promise<void> =>
      tx.audit({ action: 'erased', target: 'customer', targetId });

    it('has as many rows as the write asked for, with its time', async () => {
      await run(async (tx) => {
        await note(tx, 'ada');
        await note(tx, 'bob');
        expect(tx.nowMs()).toBe(server.clock.nowMs());
      });
      expect((await noted()).sort()).toEqual(['ada', 'bob']);
    });

    it('has no row of a write that failed, and one of a write that ran again', async () => {
      const failing = run(async (tx) => {
        await note(tx, 'failed');
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      let runs = 0;
      await run(async (tx) => {
        await note(tx, 'repeated');
        if (++runs < 3) throw new ConcurrentChange('changed meanwhile');
      });
      expect(await noted()).not.toContain('failed');
      expect((await noted()).filter((id) => id === 'repeated')).toEqual(['repeated']);
    });
  });
});
