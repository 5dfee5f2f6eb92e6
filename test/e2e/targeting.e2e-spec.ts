import type { ApiClient, Answer, Json } from '../support/api-client.js';
import { describeAccess } from '../support/access-checks.js';
import { createSecretKey } from '../support/arrange.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import { startTestServer } from '../support/test-server.js';
import { shop } from '../support/world.js';

const problem = ({ status, body }: Answer) => [status, body.type, body.param];
const country = (...value: string[]) => ({ field: 'country', operator: 'in', value });

describe('targeting rules', () => {
  const store = shop();
  let other: Json;

  beforeAll(async () => {
    other = (
      await store.backend.post(`${store.path}/offerings`, { lookup_key: 'summer', display_name: 'Summer' })
    ).body;
  });

  beforeEach(() => store.clock.advanceMs(1_000));

  const { post, get, remove } = catalogCalls(store);
  const rules = '/targeting_rules';
  const newRule = async (change: object = {}): Promise<Json> => {
    const body = { display_name: 'A rule', state: 'active', offering_id: other.id, ...change };
    const { status, body: rule } = await post(rules, body);
    expect(status).toBe(201);
    return rule;
  };
  const offerings = async (headers: Record<string, string> = {}, id = 'shopper'): Promise<Json> =>
    (await store.sdk.with(headers).get(`/v1/subscribers/${id}/offerings`)).body;
  const current = async (headers: Record<string, string> = {}, id?: string): Promise<string> =>
    (await offerings(headers, id)).current_offering_id;

  afterEach(async () => {
    for (const { id } of (await get(`${rules}?limit=100`)).body.items) await remove(`${rules}/${id}`);
  });

  describeAccess(
    () => store.server,
    'GET',
    (id) => `/v2/projects/${id}/targeting_rules`,
    'project_configuration:targeting_rules:read',
  );

  it('shows the current offering at every placement without one', async () => {
    const answer = await offerings();
    expect(answer).toEqual({
      current_offering_id: 'default',
      placements: { fallback_offering_id: 'default', offering_ids_by_placement: {} },
      offerings: expect.any(Array),
    });
  });

  it('shows the current offering while the override of a customer cannot be read, unless the SDK holds an answer', async () => {
    await store.sdk.get('/v1/subscribers/tester');
    await post('/customers/tester/actions/assign_offering', { offering_id: other.id });
    expect(await current({}, 'tester')).toBe('summer');
    const rename = (from: string, to: string) =>
      store.server.dataSource.query(`ALTER TABLE customers RENAME COLUMN ${from} TO ${to}`);
    await rename('current_offering_override', 'override_away');
    try {
      expect(await current({}, 'tester')).toBe('default');
      const held = store.sdk.with({ 'x-revenuecat-etag': 'abc' });
      expect((await held.get('/v1/subscribers/tester/offerings')).status).toBe(503);
    } finally {
      await rename('override_away', 'current_offering_override');
    }
    expect(await current({}, 'tester')).toBe('summer');
  });

  it('creates, changes and deletes them; revisions count changes of answers only', async () => {
    const made = await newRule({ id: 'my_rule', conditions: [country('US')] });
    expect(made).toEqual({
      object: 'targeting_rule',
      id: 'my_rule',
      project_id: store.projectId,
      rule_type: 'legacy',
      state: 'active',
      display_name: 'A rule',
      offering_id: other.id,
      conditions: [{ field: 'country', operator: 'in', value: ['US'], context: null }],
      audience_id: null,
      placements: null,
      schedule: null,
      position: 1,
      revision: 1,
      created_at: store.clock.nowMs(),
      updated_at: store.clock.nowMs(),
    });
    const renamed = await post(`${rules}/my_rule`, { display_name: 'Another' });
    expect(renamed.body).toMatchObject({ display_name: 'Another', revision: 1 });
    const widened = await post(`${rules}/my_rule`, { conditions: [] });
    expect(widened.body).toMatchObject({ conditions: [], revision: 2 });
    expect((await offerings()).targeting).toEqual({ revision: 2, rule_id: 'my_rule' });
    store.clock.advanceMs(1);
    const start_date = new Date(store.clock.nowMs()).toISOString();
    const endDate = (days: number) => new Date(store.clock.nowMs() + days * 86_400_000).toISOString();
    const placements = {
      fallback_offering_id: null,
      placement_offerings: [{ placement_identifier: 'start', offering_id: other.id }],
    };
    await post(`${rules}/my_rule`, { placements, schedule: { start_date, end_date: endDate(1) } });
    store.clock.advanceMs(1);
    const moved = await post(`${rules}/my_rule`, { schedule: { start_date, end_date: endDate(2) } });
    expect(moved.body.revision).toBe(4);
    const [last, first] = (await get('/audit_logs?limit=2')).body.items.map(
      (row: Json) => row.additional_data,
    );
    expect(first.changes).toEqual({
      placements: { old: null, new: placements },
      starts_at: { old: null, new: Date.parse(start_date) },
      ends_at: { old: null, new: expect.any(Number) },
    });
    expect(last).toMatchObject({
      changed_fields: ['ends_at'],
      changes: { ends_at: { old: first.changes.ends_at.new, new: Date.parse(moved.body.schedule.end_date) } },
    });
    expect(problem(await post(rules, { id: 'my_rule', display_name: 'x', offering_id: other.id }))).toEqual([
      409,
      'resource_already_exists',
      'id',
    ]);
    expect((await remove(`${rules}/my_rule`)).body.object).toBe('targeting_rule');
    expect((await get(`${rules}/my_rule`)).status).toBe(404);
    expect((await offerings()).targeting).toBeUndefined();
    const { body: log } = await get('/audit_logs?limit=6');
    expect(log.items.map((row: Json) => row.action_type).sort()).toEqual([
      'targeting_rule_created',
      'targeting_rule_deleted',
      'targeting_rule_updated',
      'targeting_rule_updated',
      'targeting_rule_updated',
      'targeting_rule_updated',
    ]);
  });

  it.each<[object, number, string]>([
    [{ offering_id: 'ofrngunknown' }, 404, 'offering_id'],
    [{ display_name: '' }, 400, 'display_name'],
    [{ rule_type: 'checkpoint' }, 400, 'rule_type'],
    [{ audience_id: 'aud1' }, 400, 'audience_id'],
    [{ id: 'a b' }, 400, 'id'],
    [{ state: 'scheduled' }, 400, 'schedule'],
    [{ schedule: { start_date: '2026-13-01T00:00:00Z' } }, 400, 'schedule.start_date'],
    [{ schedule: { start_date: '2026-12-01T00:00:00+01:00' } }, 400, 'schedule.start_date'],
    [
      { schedule: { start_date: '2026-12-01T00:00:00Z', end_date: '2026-11-01T00:00:00Z' } },
      400,
      'schedule.end_date',
    ],
    [
      { schedule: { start_date: '2025-01-01T00:00:00Z', end_date: '2025-02-01T00:00:00Z' } },
      400,
      'schedule.end_date',
    ],
    [
      { conditions: [country('US'), { field: 'app_config', operator: 'in', value: ['app0'] }] },
      400,
      'conditions[1].value',
    ],
    [
      { placements: { fallback_offering_id: 'ofrngx', placement_offerings: [] } },
      404,
      'placements.fallback_offering_id',
    ],
    [
      {
        placements: {
          fallback_offering_id: null,
          placement_offerings: [{ placement_identifier: ' a', offering_id: null }],
        },
      },
      400,
      'placements.placement_offerings[0].placement_identifier',
    ],
    [
      {
        placements: {
          fallback_offering_id: null,
          placement_offerings: [
            { placement_identifier: 'a', offering_id: null },
            { placement_identifier: 'a', offering_id: null },
          ],
        },
      },
      400,
      'placements.placement_offerings[1].placement_identifier',
    ],
  ])('refuses %j with %i naming %s', async (change, status, param) => {
    const answer = await post(rules, { display_name: 'x', offering_id: other.id, ...change });
    expect([answer.status, answer.body.param]).toEqual([status, param]);
  });

  it('matches by country, as iOS and Android name it', async () => {
    await newRule({ conditions: [country('US')] });
    for (const storefront of ['USA', 'US'])
      expect(await current({ 'x-storefront': storefront })).toBe('summer');
    expect([await current({ 'x-storefront': 'DEU' }), await current()]).toEqual(['default', 'default']);
  });

  it('matches by SDK, app version and platform', async () => {
    await newRule({
      conditions: [
        { field: 'platform', operator: 'in', value: ['ios', 'android'] },
        { field: 'app_version', operator: '>=', value: '1.9', context: store.appId },
        { field: 'sdk_version', operator: '>', value: '8', context: 'react-native-purchases' },
      ],
    });
    const device = {
      'x-platform': 'iOS',
      'x-client-version': '1.10.0',
      'x-version': '5.0.0',
      'x-platform-flavor': 'react-native',
      'x-platform-flavor-version': '8.1.0',
    };
    expect(await current(device)).toBe('summer');
    expect(await current({ ...device, 'x-client-version': '1.8' })).toBe('default');
    expect(await current({ ...device, 'x-platform': 'web' })).toBe('default');
    expect(await current({ ...device, 'x-platform-flavor-version': '7' })).toBe('default');
    expect(await current({ ...device, 'x-platform-flavor': 'native' })).toBe('default');
  });

  it('matches by the latest attribute of the customer', async () => {
    await newRule({
      conditions: [{ field: 'custom_attribute', operator: 'in', value: ['gold'], context: 'plan' }],
    });
    const set = (value: string | null) =>
      store.sdk.post('/v1/subscribers/with-plan/attributes', {
        attributes: { plan: { value, updated_at_ms: store.clock.nowMs() } },
      });
    expect(await current({}, 'with-plan')).toBe('default');
    await set('gold');
    expect(await current({}, 'with-plan')).toBe('summer');
    expect(await current({}, 'without-plan')).toBe('default');
    store.clock.advanceMs(1_000);
    await set('');
    expect(await current({}, 'with-plan')).toBe('default');
  });

  it('starts them by the clock, without a write', async () => {
    const startMs = store.clock.nowMs() + 60_000;
    const date = (ms: number): string => new Date(ms).toISOString();
    const schedule = { start_date: date(startMs), end_date: date(startMs + 60_000) };
    const rule = await newRule({ state: 'scheduled', schedule });
    const seen = async (): Promise<string[]> => [
      await current(),
      (await get(`${rules}/${rule.id}`)).body.state,
    ];
    expect(await seen()).toEqual(['default', 'scheduled']);
    store.clock.setMs(startMs);
    expect(await seen()).toEqual(['summer', 'active']);
    store.clock.setMs(startMs + 59_999);
    expect(await seen()).toEqual(['summer', 'active']);
    store.clock.setMs(startMs + 60_000);
    expect(await seen()).toEqual(['default', 'inactive']);
    expect((await get(`${rules}/${rule.id}`)).body.updated_at).toBe(rule.updated_at);
    expect((await get(`${rules}?state=inactive`)).body.items).toHaveLength(1);
  });

  it('checks them in order, on every replica', async () => {
    const replica = await startTestServer({ databaseUrl: store.server.databaseUrl, clock: store.clock });
    try {
      const [first, second] = [await newRule(), await newRule({ offering_id: store.offering.id })];
      const onBoth = async (): Promise<string[]> =>
        Promise.all(
          [store.sdk, replica.http.withKey(store.publicKey)].map(
            async (sdk: ApiClient) => (await sdk.get('/v1/subscribers/a/offerings')).body.targeting.rule_id,
          ),
        );
      expect(await onBoth()).toEqual([first.id, first.id]);
      const list = { rule_ids: [second.id, first.id] };
      const reordered = await store.backend.send('PUT', `${store.path}${rules}/priority_list`, list);
      expect(reordered.body.items.map(({ id }: Json) => id)).toEqual(list.rule_ids);
      const until = Date.now() + 5_000;
      while (Date.now() < until && (await onBoth()).includes(first.id));
      expect(await onBoth()).toEqual([second.id, second.id]);
      const partly = await store.backend.send('PUT', `${store.path}${rules}/priority_list`, {
        rule_ids: [first.id],
      });
      expect(problem(partly)).toEqual([400, 'parameter_error', 'rule_ids']);
    } finally {
      await replica.close();
    }
  });

  it('shows placements of any name', async () => {
    await newRule({
      placements: {
        fallback_offering_id: null,
        placement_offerings: [
          { placement_identifier: '__proto__', offering_id: store.offering.id },
          { placement_identifier: 'settings', offering_id: null },
        ],
      },
    });
    const answer = await store.sdk.get('/v1/subscribers/a/offerings');
    expect(answer.body.current_offering_id).toBe('summer');
    expect(answer.text).toContain(
      '"placements":{"fallback_offering_id":null,"offering_ids_by_placement":{"__proto__":"default","settings":null}}',
    );
    const { body } = await get('/placements');
    expect(body.items.map(({ identifier, used_by: [user] }: Json) => [identifier, user.object])).toEqual([
      ['__proto__', 'targeting_rule'],
      ['settings', 'targeting_rule'],
    ]);
  });

  it('protects their offerings from being archived and deleted', async () => {
    const rule = await newRule();
    const archive = await post(`/offerings/${other.id}/actions/archive`);
    expect([archive.status, archive.body.type]).toEqual([422, 'entity_references_archived_entities']);
    expect(archive.body.referenced_object_ids).toEqual([rule.id]);
    const deleted = await remove(`/offerings/${other.id}`);
    expect([deleted.status, deleted.body.type]).toEqual([409, 'invalid_request']);
    expect(deleted.body.message).toContain(rule.id);
    await post(`${rules}/${rule.id}`, { state: 'inactive' });
    expect((await post(`/offerings/${other.id}/actions/archive`)).status).toBe(200);
    const revived = await post(`${rules}/${rule.id}`, { state: 'active' });
    expect([revived.status, revived.body.referenced_object_ids]).toEqual([422, [other.id]]);
    await post(`/offerings/${other.id}/actions/unarchive`, {});
  });

  it('answers 304 until something changes, and serves backends without creating customers', async () => {
    const rule = await newRule();
    const tagOf = (answer: Answer): string => answer.headers['x-revenuecat-etag'] as unknown as string;
    const first = await store.sdk.get('/v1/subscribers/a/offerings');
    const again = () =>
      store.sdk.with({ 'x-revenuecat-etag': tagOf(first) }).get('/v1/subscribers/a/offerings');
    expect((await again()).status).toBe(304);
    await post(`${rules}/${rule.id}`, { conditions: [country('DE')] });
    expect((await again()).status).toBe(200);
    const backend = await store.backend
      .with({ 'x-platform': 'test', 'x-storefront': 'DEU' })
      .get('/v1/subscribers/never-seen/offerings');
    expect(backend.body.targeting.rule_id).toBe(rule.id);
    expect((await get('/customers/never-seen')).status).toBe(404);
  });

  it('explains them, with the first condition that is not met', async () => {
    const [german, everyone] = [await newRule({ conditions: [country('DE')] }), await newRule()];
    const off = await newRule({ state: 'inactive' });
    const ask = (body: object) => post(`${rules}/actions/evaluate`, { app_id: store.appId, ...body });
    const { body } = await ask({ country: 'US' });
    expect(body).toMatchObject({
      source: 'rule',
      rule_id: everyone.id,
      offering_id: other.id,
      placements: { fallback_offering_id: other.id, offering_ids_by_placement: {} },
    });
    expect(
      body.rules.map(({ id, outcome, failed_condition: failed }: Json) => [id, outcome, failed]),
    ).toEqual([
      [german.id, 'conditions', 0],
      [everyone.id, 'taken', null],
      [off.id, 'not_live', null],
    ]);
    expect(problem(await ask({ app_id: 'app0' }))).toEqual([404, 'resource_missing', 'app_id']);
    expect(problem(await ask({ country: 'XX' }))).toEqual([400, 'parameter_error', 'country']);
    const { client } = await createSecretKey(store.session, store.projectId, [
      'project_configuration:targeting_rules:read',
    ]);
    expect((await client.post(`${store.path}${rules}/actions/evaluate`, {})).status).toBe(403);
  });

  it('reaches the purchase as the device names them, even a deleted one', async () => {
    const receipt = {
      app_user_id: 'buyer',
      fetch_token: `test_${store.clock.nowMs()}_targeted`,
      product_id: 'pro_monthly',
      presented_offering_identifier: 'summer',
      presented_placement_identifier: 'onboarding_end',
      applied_targeting_rule: { revision: 3, rule_id: 'trlegone000000' },
    };
    expect((await store.sdk.post('/v1/receipts', receipt)).status).toBe(200);
    const { body } = await get('/customers/buyer/subscriptions');
    expect(body.items[0]).toMatchObject({
      presented_offering_id: other.id,
      presented_placement_id: 'onboarding_end',
      applied_targeting_rule: { revision: 3, rule_id: 'trlegone000000' },
    });
  });
});
