import { definitions, type DestinationType } from '../../libs/destinations/index.js';
import { allTypes, enteredSettings } from '../../libs/destinations/testing/fixture.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { deliveriesTo, recordEvent } from '../support/webhook-outbox.js';

const env = {
  SERVICE_ALLOW_SIGNUP: 'true',
  SERVICE_TRUST_PROXY: 'true',
  SERVICE_ALLOW_PRIVATE_NETWORKS: 'false',
};
const WRITE_KEY = 'segmentWriteKey0123456789';

describe('destinations', () => {
  let server: TestServer;
  let store: TestStore;
  let list: string;

  beforeAll(async () => {
    server = await startTestServer({ env });
    store = await createTestStore(server);
    list = `${store.path}/integrations/destinations`;
  });

  afterAll(() => server.close());

  beforeEach(() => server.clock.advanceMs(1));

  afterEach(() => server.dataSource.query('DELETE FROM webhook_integrations'));

  const create = (type: DestinationType, fields: object = {}): Promise<Answer> =>
    store.backend.post(list, { type, settings: enteredSettings[type], ...fields });

  async function created(type: DestinationType, fields: object = {}): Promise<Json> {
    const answer = await create(type, fields);
    expect([answer.status, answer.body.param]).toEqual([201, undefined]);
    return answer.body;
  }

  const update = (id: string, fields: object): Promise<Answer> => store.backend.post(`${list}/${id}`, fields);

  async function newestAudit(): Promise<Json> {
    return (await store.backend.get(`${store.path}/audit_logs?limit=1`)).body.items[0];
  }

  describe('are created', () => {
    it.each(allTypes)('creates one of %s without showing a secret', async (type) => {
      const made = await created(type);
      expect(made).toMatchObject({
        object: 'destination',
        type,
        name: definitions.find(({ id }) => id === type)?.name,
        enabled: true,
        app_id: null,
        revenue: 'gross',
        attributes: 'all',
        send_from: server.clock.nowMs(),
        created_at: server.clock.nowMs(),
      });
      expect(made.id).toMatch(/^dst_[0-9a-z]{16}$/);
      expect((await store.backend.get(`${list}/${made.id}`)).body).toEqual(made);
      expect((await store.backend.get(list)).body.items).toEqual([made]);
    });

    it('names the secrets that have a value', async () => {
      const headers = { authorization: 'Bearer httpSecretToken0123456789', 'X-Api-Key': 'anotherSecret42' };
      const http = await created('http', { settings: { url: 'https://example.com/hook', headers } });
      expect(http.secrets_set).toEqual(['headers.authorization', 'headers.X-Api-Key']);
      expect(http.settings).toEqual({
        url: 'https://example.com/hook',
        method: 'POST',
        body: { event: '{{event}}', customer: '{{customer}}' },
        content_type: 'json',
        ordered: false,
        send_sandbox: true,
      });
      const appsflyer = await created('appsflyer');
      expect(appsflyer.secrets_set).toEqual(['dev_key', 'sandbox_dev_key']);
      expect(appsflyer.settings).toMatchObject({ ios_app_id: 'id123456789' });
    });

    it('derives environments and types of events', async () => {
      expect(await created('segment')).toMatchObject({ environments: 'production' });
      const settings = { write_key: WRITE_KEY, send_sandbox: true };
      expect(await created('segment', { settings })).toMatchObject({ environments: 'both' });
      const meta = await created('meta', { event_names: { renewal: null, trial_converted: null } });
      expect(meta.event_types).toEqual(['initial_purchase', 'non_renewing_purchase']);
      expect((await created('adjust')).event_types).toEqual(['initial_purchase', 'renewal', 'cancellation']);
      expect((await created('http')).event_types).toEqual([]);
      expect((await created('http', { event_types: ['test'] })).event_types).toEqual(['test']);
    });

    it('stores only differences to the default names', async () => {
      const event_names = { renewal: 'Renewed', expiration: null, cancellation: 'rc_cancellation_event' };
      const { id, event_names: named } = await created('segment', { event_names });
      expect(named).toMatchObject({
        renewal: 'Renewed',
        expiration: null,
        cancellation: 'rc_cancellation_event',
        initial_purchase: 'rc_initial_purchase_event',
      });
      const [row] = await server.dataSource.query(
        'SELECT event_names FROM webhook_integrations WHERE project_id = $1 AND id = $2',
        [store.projectId, id],
      );
      expect(row.event_names).toEqual({ renewal: 'Renewed', expiration: null });
    });

    it('switches kinds of a chat', async () => {
      const slack = await created('slack', {
        event_names: { renewal: null, trial_converted: null, billing_issue: true },
      });
      expect(slack.event_names).toMatchObject({ renewal: null, billing_issue: true, trial_started: true });
      expect(slack.event_types).not.toContain('renewal');
    });

    it.each<[DestinationType, object, string]>([
      ['segment', { settings: {} }, 'settings.write_key'],
      ['segment', { settings: { write_key: '' } }, 'settings.write_key'],
      ['segment', { settings: { write_key: WRITE_KEY, region: 'mars' } }, 'settings.region'],
      ['segment', { settings: { write_key: WRITE_KEY, unknown: 1 } }, 'settings.unknown'],
      ['segment', { settings: 'text' }, 'settings'],
      ['segment', { settings: undefined }, 'settings'],
      ['segment', { event_names: { unknown: 'x' } }, 'event_names.unknown'],
      ['segment', { event_names: { transfer: 'x' } }, 'event_names.transfer'],
      ['segment', { event_names: { renewal: '$x' } }, 'event_names.renewal'],
      ['segment', { event_names: 1 }, 'event_names'],
      ['segment', { event_types: ['renewal'] }, 'event_types'],
      ['segment', { name: '' }, 'name'],
      ['segment', { revenue: 'net' }, 'revenue'],
      ['segment', { attributes: 'some' }, 'attributes'],
      ['segment', { enabled: 1 }, 'enabled'],
      ['segment', { send_from: -1 }, 'send_from'],
      ['segment', { type: 'webhook' }, 'type'],
      ['segment', { type: 'nothing' }, 'type'],
      ['adjust', { event_names: { renewal: 'x' } }, 'event_names'],
      ['adjust', { settings: { ios_app_token: 'abcdefghijkl' } }, 'settings.ios_event_tokens'],
      ['slack', { event_names: { renewal: 'Renewed' } }, 'event_names.renewal'],
      ['slack', { settings: { url: 'https://hooks.slack.com/workflows/A/B/C' } }, 'settings.url'],
      ['http', { event_names: { renewal: 'x' } }, 'event_names'],
      ['http', { event_types: ['unknown'] }, 'event_types'],
      ['http', { settings: { url: 'https://169.254.169.254/latest' } }, 'settings.url'],
      ['http', { settings: { url: 'http://localhost/hook' } }, 'settings.url'],
      ['http', { settings: { url: 'https://example.com/', body: { a: 'x\u0000' } } }, 'settings.body'],
      ['http', { settings: { url: 'https://example.com/', body: { 'a\u0000': 1 } } }, 'settings.body'],
      [
        'http',
        { settings: { url: 'https://example.com/', headers: { Host: 'a' } } },
        'settings.headers.Host',
      ],
      ['posthog', { settings: { ...enteredSettings.posthog, host: 'https://10.0.0.1' } }, 'settings.host'],
      [
        'posthog',
        { settings: { ...enteredSettings.posthog, host: 'http://93.184.216.34' } },
        'settings.host',
      ],
    ])('rejects %s with %j and names %s', async (type, fields, param) => {
      const answer = await create(type, fields);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });

    it('rejects a destination that would send nothing', async () => {
      const { events } = (
        await store.backend.get(`${store.path}/integrations/destination_types`)
      ).body.items.find(({ id }: Json) => id === 'meta');
      const off = Object.fromEntries(events.map(({ kind }: Json) => [kind, null]));
      const answer = await create('meta', { event_names: off });
      expect([answer.status, answer.body.param]).toEqual([400, 'event_names']);
    });

    it('answers 404 for an app of another project', async () => {
      const other = await createTestStore(server);
      const answer = await create('segment', { app_id: other.appId });
      expect([answer.status, answer.body.param]).toEqual([404, 'app_id']);
      expect(await created('segment', { app_id: store.appId })).toMatchObject({ app_id: store.appId });
    });

    it('rejects more than 50 in a project', async () => {
      const { id } = await created('segment');
      await server.dataSource.query(
        `INSERT INTO webhook_integrations (project_id, id, type, name, settings, event_types, created_at)
         SELECT project_id, 'dst_' || n, type, name, settings, event_types, created_at
         FROM webhook_integrations, generate_series(1, 48) n WHERE project_id = $1 AND id = $2`,
        [store.projectId, id],
      );
      const answers = await Promise.all([create('segment'), create('amplitude'), create('mixpanel')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
      expect((await store.backend.get(`${list}?limit=100`)).body.items).toHaveLength(50);
    });

    it('creates one destination for one idempotency key', async () => {
      const body = { type: 'segment', settings: enteredSettings.segment };
      const once = (): Promise<Answer> => store.backend.post(list, body, { 'idempotency-key': 'once' });
      const [first, second] = [await once(), await once()];
      expect(second.body).toEqual(first.body);
      expect((await store.backend.get(list)).body.items).toHaveLength(1);
    });
  });

  describe('are listed', () => {
    it('pages by cursor, oldest first, and filters by type', async () => {
      const ids: string[] = [];
      for (const type of ['segment', 'slack', 'segment'] as const) {
        ids.push((await created(type)).id);
        server.clock.advanceMs(1);
      }
      const first = (await store.backend.get(`${list}?limit=2`)).body;
      const second = (await store.backend.get(first.next_page)).body;
      expect([...first.items, ...second.items].map(({ id }: Json) => id)).toEqual(ids);
      expect(second.next_page).toBeNull();
      const filtered = (await store.backend.get(`${list}?type=segment&limit=1`)).body;
      expect(filtered.items[0].id).toBe(ids[0]);
      expect((await store.backend.get(filtered.next_page)).body.items[0].id).toBe(ids[2]);
      for (const [query, param] of [
        ['type=webhook', 'type'],
        ['type=x', 'type'],
        ['starting_after=wh_0mjwaidke4bvqijc', 'starting_after'],
      ]) {
        const answer = await store.backend.get(`${list}?${query}`);
        expect([answer.status, answer.body.param]).toEqual([400, param]);
      }
    });

    it('keeps webhooks and destinations apart', async () => {
      const { id } = await created('segment');
      const webhooks = `${store.path}/integrations/webhooks`;
      const webhook = (await store.backend.post(webhooks, { name: 'A', url: 'https://example.com/' })).body;
      const idsOf = async (path: string): Promise<string[]> =>
        (await store.backend.get(path)).body.items.map((item: Json) => item.id);
      expect(await idsOf(list)).toEqual([id]);
      expect(await idsOf(`${store.path}/integrations/destination_states`)).toEqual([id]);
      expect(await idsOf(webhooks)).toEqual([webhook.id]);
      expect(await idsOf(`${store.path}/webhooks`)).toEqual([webhook.id]);
      for (const path of [
        `${webhooks}/${id}`,
        `${list}/${webhook.id}`,
        `${store.path}/webhooks/${id}/replays`,
      ])
        expect((await store.backend.get(path)).status).toBe(404);
      expect((await update(webhook.id, { enabled: false })).status).toBe(404);
      expect((await store.backend.delete(`${list}/${webhook.id}`)).status).toBe(404);
      expect((await store.backend.delete(`${webhooks}/${id}`)).status).toBe(404);
    });
  });

  describe('are changed', () => {
    it('changes only the given fields', async () => {
      const made = await created('segment');
      const fields = {
        name: 'Warehouse',
        enabled: false,
        send_from: 17,
        app_id: store.appId,
        revenue: 'after_commission',
        attributes: 'none',
      };
      for (const [name, value] of Object.entries(fields)) {
        const before = (await store.backend.get(`${list}/${made.id}`)).body;
        expect((await update(made.id, { [name]: value })).body).toEqual({ ...before, [name]: value });
      }
      expect((await update(made.id, { app_id: null })).body.app_id).toBeNull();
    });

    it('keeps secrets that are absent and removes those that are null', async () => {
      const { id } = await created('amplitude', {
        settings: { ...enteredSettings.amplitude, sandbox_api_key: 'fedcba9876543210fedcba9876543210' },
      });
      const kept = (await update(id, { settings: { region: 'us' } })).body;
      expect(kept).toMatchObject({ secrets_set: ['api_key', 'sandbox_api_key'], environments: 'both' });
      const removed = (await update(id, { settings: { sandbox_api_key: null } })).body;
      expect(removed).toMatchObject({ secrets_set: ['api_key'], environments: 'production' });
      for (const value of [null, '', 1]) {
        const answer = await update(id, { settings: { api_key: value } });
        expect([answer.status, answer.body.param]).toEqual([400, 'settings.api_key']);
      }
    });

    it.each<[DestinationType, object, string]>([
      ['amplitude', { region: 'eu' }, 'settings.api_key'],
      ['posthog', { host: 'https://eu.i.posthog.com' }, 'settings.api_key'],
      ['braze', { instance: 'fra-01' }, 'settings.api_key'],
      ['meta', { dataset_id: '9876543210987654' }, 'settings.access_token'],
      ['http', { url: 'https://other.example.com/hook' }, 'settings.headers.authorization'],
    ])('wants every secret of %s again for the address %j', async (type, settings, param) => {
      const { id } = await created(type);
      const answer = await update(id, { settings });
      expect([answer.status, answer.body.param]).toEqual([400, param]);
      expect(answer.body.message).toBe('Enter this key again: the address has changed.');
      const again = await update(id, { settings: { ...enteredSettings[type], ...settings } });
      expect(again.body.settings).toMatchObject(settings);
    });

    it('replaces the names of events', async () => {
      const { id } = await created('segment', { event_names: { renewal: null } });
      const { body } = await update(id, { event_names: { cancellation: 'Gone' } });
      expect(body.event_names).toMatchObject({ renewal: 'rc_renewal_event', cancellation: 'Gone' });
      expect(body.event_types).toContain('renewal');
      expect((await update(id, { event_types: ['renewal'] })).body.param).toBe('event_types');
    });

    it('answers 404 for an app of another project, and does not change the type', async () => {
      const other = await createTestStore(server);
      const { id } = await created('segment');
      const answer = await update(id, { app_id: other.appId });
      expect([answer.status, answer.body.param]).toEqual([404, 'app_id']);
      expect((await update(id, { type: 'slack' })).body.param ?? 'type').toBe('type');
      expect((await store.backend.get(`${list}/${id}`)).body.type).toBe('segment');
    });

    it('records values of settings, and of secrets only the names', async () => {
      const { id } = await created('http');
      expect(await newestAudit()).toMatchObject({
        action_type: 'destination_created',
        target_identifier: id,
        additional_data: { type: 'http' },
      });
      const headers = { 'X-Key': 'anotherSecret42' };
      server.clock.advanceMs(1);
      await update(id, { name: 'Own', settings: { method: 'PUT', headers }, event_types: ['renewal'] });
      expect(await newestAudit()).toMatchObject({
        action_type: 'destination_updated',
        target_identifier: id,
        additional_data: {
          changed_fields: ['event_types', 'name', 'settings.headers.x-key', 'settings.method'],
          changes: {
            event_types: { old: [], new: ['renewal'] },
            name: { old: 'HTTP', new: 'Own' },
            'settings.method': { old: 'POST', new: 'PUT' },
          },
        },
      });
    });

    it('asks for secrets again that cannot be opened', async () => {
      const { id } = await created('segment');
      await server.dataSource.query(
        `UPDATE webhook_integrations SET sealed_settings = 'unreadable' WHERE project_id = $1`,
        [store.projectId],
      );
      expect((await store.backend.get(`${list}/${id}`)).body.secrets_set).toEqual([]);
      expect((await update(id, { name: 'Still' })).status).toBe(200);
      expect((await update(id, { settings: { send_sandbox: true } })).body.param).toBe('settings.write_key');
      expect((await update(id, { settings: enteredSettings.segment })).body.secrets_set).toEqual([
        'write_key',
      ]);
    });
  });

  it('deletes a destination with its open deliveries', async () => {
    const { id } = await created('segment');
    await recordEvent(server, store.projectId, { environment: 'production' });
    expect(await deliveriesTo(server, id)).toMatchObject([{ status: 'pending' }]);
    server.clock.advanceMs(1);
    const deleted = await store.backend.delete(`${list}/${id}`);
    expect(deleted.body).toEqual({ object: 'destination', id, deleted_at: server.clock.nowMs() });
    expect((await newestAudit()).action_type).toBe('destination_deleted');
    expect((await store.backend.delete(`${list}/${id}`)).status).toBe(404);
    expect(await deliveriesTo(server, id)).toEqual([]);
  });

  it('describes the types in the order of the gallery', async () => {
    const path = `${store.path}/integrations/destination_types`;
    const answer = await store.backend.get(path);
    expect(answer.body.items.map(({ id }: Json) => id)).toEqual(definitions.map(({ id }) => id));
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(60_000);
    expect(answer.body.items[0]).toMatchObject({
      object: 'destination_type',
      id: 'segment',
      name: 'Segment',
      category: 'analytics',
      documentation_link: 'docs/destinations/segment.md',
      capabilities: { negative_revenue: true, sandbox: true, profile: true, deduplicates: true },
    });
    expect(answer.body.items[0].settings_schema.properties.write_key.writeOnly).toBe(true);
    const events = answer.body.items[0].events.filter(({ kind }: Json) =>
      /^(renewal|expiration)$/.test(kind),
    );
    expect(events).toEqual([
      { kind: 'renewal', event_type: 'renewal', default_name: 'rc_renewal_event', optional: false },
      { kind: 'expiration', event_type: 'expiration', default_name: 'rc_expiration_event', optional: true },
    ]);
    const tag = answer.headers.etag as string;
    const again = await store.backend.get(path, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await store.backend.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('needs permissions to read and to write', async () => {
    const { id } = await created('segment');
    const keyWith = async (...permissions: string[]) =>
      (await createSecretKey(store.session, store.projectId, permissions)).client;
    const reader = await keyWith('project_configuration:integrations:read');
    expect((await reader.get(`${list}/${id}`)).status).toBe(200);
    expect((await reader.post(`${list}/${id}`, { enabled: false })).status).toBe(403);
    expect((await reader.delete(`${list}/${id}`)).status).toBe(403);
    const stranger = await createTestStore(server);
    for (const path of [`${list}/${id}`, `${list}/${id}/deliveries`])
      expect((await stranger.backend.get(path.replace(store.projectId, stranger.projectId))).status).toBe(
        404,
      );
  });
});
