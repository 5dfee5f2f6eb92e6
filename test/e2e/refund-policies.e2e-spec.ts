import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import { catalogCalls } from '../support/arrange-catalog.js';
import { otherShop, shop } from '../support/world.js';

const problem = ({ status, body }: Answer) => [status, body.type, body.param];

describe('refund policies', () => {
  const store = shop();
  const { post, get, remove } = catalogCalls(store);
  const put = (path: string, body: object): Promise<Answer> =>
    store.backend.send('PUT', store.path + path, body);
  const policies = '/refund_policies';
  const newPolicy = async (change: object = {}): Promise<Json> => {
    const answer = await post(policies, { display_name: 'A policy', preference: 'decline', ...change });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const list = async (): Promise<Json[]> => (await get(`${policies}?limit=100`)).body.items;
  const names = async (): Promise<string[]> => (await list()).map((row) => row.display_name);

  afterEach(async () => {
    for (const { id, is_default } of await list()) if (!is_default) await remove(`${policies}/${id}`);
  });

  describeAccess(
    () => store.server,
    'GET',
    (id) => `/v2/projects/${id}/refund_policies`,
    'project_configuration:apps:read',
  );

  it('has a default policy in every project, which matches everything', async () => {
    const [policy, ...rest] = await list();
    expect(rest).toEqual([]);
    expect(policy).toEqual({
      object: 'refund_policy',
      id: expect.stringMatching(/^rfpl[0-9a-z]{10}$/),
      project_id: store.projectId,
      display_name: 'All others',
      conditions: [],
      preference: 'neutral',
      hold_minutes: 0,
      stores: ['app_store', 'play_store'],
      is_default: true,
      position: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(await list()).toEqual([policy]);
  });

  it('creates one default policy for requests at the same time', async () => {
    const other = await otherShop(store);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => other.backend.get(`${other.path}${policies}`)),
    );
    const ids = new Set(answers.flatMap(({ body }) => body.items.map((row: Json) => row.id)));
    expect(ids.size).toBe(1);
  });

  it('creates, changes and deletes policies, and records it in the audit log', async () => {
    const conditions = [
      { field: 'country', operator: 'in', value: ['US'] },
      { field: 'price_usd', operator: '<', value: 9.99 },
      { field: 'product', operator: 'not in', value: [store.products.monthly.id], context: null },
    ];
    const made = await newPolicy({ conditions, hold_minutes: 60, stores: ['app_store'] });
    expect(made).toMatchObject({
      conditions: conditions.map((condition) => ({ ...condition, context: null })),
      hold_minutes: 60,
      stores: ['app_store'],
      is_default: false,
      position: 1,
    });
    expect((await get(`${policies}/${made.id}`)).body).toEqual(made);
    store.clock.advanceMs(1_000);
    const changed = await post(`${policies}/${made.id}`, { preference: 'do_not_answer', conditions: [] });
    expect(changed.body).toEqual({
      ...made,
      preference: 'do_not_answer',
      conditions: [],
      updated_at: store.clock.nowMs(),
    });
    store.clock.advanceMs(1);
    expect((await remove(`${policies}/${made.id}`)).body).toEqual({
      object: 'refund_policy',
      id: made.id,
      deleted_at: store.clock.nowMs(),
    });
    expect((await get(`${policies}/${made.id}`)).status).toBe(404);
    expect((await remove(`${policies}/${made.id}`)).status).toBe(404);
    const { items } = (await get('/audit_logs?limit=3')).body;
    expect(items.map((row: Json) => row.action_type)).toEqual([
      'refund_policy_deleted',
      'refund_policy_updated',
      'refund_policy_created',
    ]);
    expect(items[1].additional_data.changes).toEqual({
      preference: { old: 'decline', new: 'do_not_answer' },
      conditions: { old: made.conditions, new: [] },
    });
  });

  it('lists policies in order of evaluation, page by page', async () => {
    for (const display_name of ['one', 'two', 'three']) await newPolicy({ display_name });
    expect(await names()).toEqual(['one', 'two', 'three', 'All others']);
    const first = (await get(`${policies}?limit=3`)).body;
    expect(first.items.map((row: Json) => row.position)).toEqual([1, 2, 3]);
    const second = (await store.backend.get(first.next_page)).body;
    expect([second.items.map((row: Json) => row.position), second.next_page]).toEqual([[null], null]);
    expect(problem(await get(`${policies}?starting_after=rfplunknown`))).toEqual([
      400,
      'parameter_error',
      'starting_after',
    ]);
  });

  it('reorders all policies except the default one', async () => {
    const ids: string[] = [];
    for (const display_name of ['one', 'two', 'three']) ids.push((await newPolicy({ display_name })).id);
    const [one = '', two = '', three = ''] = ids;
    const answer = await put(`${policies}/priority_list`, { policy_ids: [three, one, two] });
    expect(answer.body.items.map((row: Json) => row.display_name)).toEqual([
      'three',
      'one',
      'two',
      'All others',
    ]);
    const fallback = (await list()).at(-1)?.id;
    for (const policy_ids of [
      [one, two],
      [one, two, two],
      [one, two, three, fallback],
      [one, two, 'rfplx'],
    ])
      expect(problem(await put(`${policies}/priority_list`, { policy_ids }))).toEqual([
        400,
        'parameter_error',
        'policy_ids',
      ]);
    await remove(`${policies}/${one}`);
    expect((await list()).map((row) => row.position)).toEqual([1, 2, null]);
    await newPolicy({ display_name: 'four' });
    expect(await names()).toEqual(['three', 'two', 'four', 'All others']);
  });

  it.each<[object, string]>([
    [{ display_name: '' }, 'display_name'],
    [{ display_name: 'x'.repeat(256) }, 'display_name'],
    [{ preference: 'let_apple_decide' }, 'preference'],
    [{ hold_minutes: 1441 }, 'hold_minutes'],
    [{ hold_minutes: 1.5 }, 'hold_minutes'],
    [{ stores: [] }, 'stores'],
    [{ stores: ['stripe'] }, 'stores'],
    [{ conditions: 'none' }, 'conditions'],
    [{ conditions: [{ field: 'shoe_size', operator: '=', value: 1 }] }, 'conditions[0].field'],
    [
      {
        conditions: [
          { field: 'paid_periods', operator: '=', value: 1 },
          { field: 'rollout', operator: '<', value: 50 },
          { field: 'lifetime_usd', operator: '>', value: '5' },
        ],
      },
      'conditions[2].value',
    ],
    [{ conditions: [{ field: 'app_config', operator: 'in', value: ['app0'] }] }, 'conditions[0].value'],
    [{ conditions: [{ field: 'product', operator: 'in', value: ['prod0'] }] }, 'conditions[0].value'],
  ])('rejects %j at %s', async (change, param) => {
    const body = { display_name: 'x', preference: 'decline', ...change };
    expect(problem(await post(policies, body))).toEqual([400, 'parameter_error', param]);
    const { id } = await newPolicy();
    expect(problem(await post(`${policies}/${id}`, change))).toEqual([400, 'parameter_error', param]);
  });

  it('requires a name and a preference of a new policy', async () => {
    expect(problem(await post(policies, { preference: 'decline' }))[2]).toBe('display_name');
    expect(problem(await post(policies, { display_name: 'x' }))[2]).toBe('preference');
  });

  it('lets the default policy change, but keeps it last and matching everything', async () => {
    const { id } = (await list()).at(-1);
    const path = `${policies}/${id}`;
    const changed = await post(path, { display_name: 'The rest', preference: 'decline', hold_minutes: 30 });
    expect(changed.body).toMatchObject({ display_name: 'The rest', preference: 'decline', hold_minutes: 30 });
    const conditions = [{ field: 'country', operator: 'in', value: ['US'] }];
    expect(problem(await post(path, { conditions }))).toEqual([400, 'parameter_error', 'conditions']);
    expect(problem(await post(path, { stores: ['app_store'] }))).toEqual([400, 'parameter_error', 'stores']);
    expect(problem(await remove(path))).toEqual([409, 'invalid_request', undefined]);
    await post(path, { display_name: 'All others', preference: 'neutral', hold_minutes: 0 });
  });

  it('allows 50 policies, the default one included, and no more', async () => {
    for (let number = 1; number < 50; number++) await newPolicy();
    expect(problem(await post(policies, { display_name: 'x', preference: 'decline' }))).toEqual([
      422,
      'unprocessable_entity_error',
      undefined,
    ]);
    expect(await list()).toHaveLength(50);
  });

  it('creates one policy for a repeated request with the same Idempotency-Key', async () => {
    const client = store.backend.with({ 'idempotency-key': 'policy-1' });
    const body = { display_name: 'once', preference: 'neutral' };
    const [first, again] = [
      await client.post(`${store.path}${policies}`, body),
      await client.post(`${store.path}${policies}`, body),
    ];
    expect(again.body).toEqual(first.body);
    expect(await names()).toEqual(['once', 'All others']);
  });

  it("answers 404 for another project's policy", async () => {
    const { id } = await newPolicy();
    const other = await otherShop(store);
    const path = `${other.path}${policies}/${id}`;
    expect((await other.backend.get(path)).status).toBe(404);
    expect((await other.backend.post(path, { preference: 'neutral' })).status).toBe(404);
    expect((await other.backend.delete(path)).status).toBe(404);
    expect((await get(`${policies}/${id}`)).status).toBe(200);
  });
});
