import { ManualClock } from '../../libs/kernel/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const NOW = Date.parse('2026-05-10T12:00:00Z');

describe('saved charts', () => {
  let server: TestServer;
  let owner: SignedUp;
  let path: string;
  let board: string;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(NOW),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    owner = await signUp(server, { projectName: 'Acme' });
    path = `/v2/projects/${owner.projectId}/saved_charts`;
    board = `/v2/projects/${owner.projectId}/chart_board`;
  });

  const save = async (body: object = {}, client: ApiClient = owner.session): Promise<Json> => {
    server.clock.advanceMs(1);
    const answer = await client.post(path, { display_name: 'Revenue', chart_name: 'revenue', ...body });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const boardOf = async (client: ApiClient, query = ''): Promise<Json[]> => {
    const answer = await client.get(`${board}${query}`);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.body.items;
  };
  const namesOf = (items: Json[]): string[] => items.map((item) => (item.saved_chart ?? item).display_name);

  it('creates, reads, changes and deletes a chart', async () => {
    const parameters = {
      range: 'last_quarter',
      resolution: 'month',
      currency: 'EUR',
      environment: 'sandbox',
      filters: [{ name: 'store', values: ['app_store'] }],
      selectors: { revenue_type: 'proceeds' },
      segment: 'country',
      compare: 'before',
      draw: 'share',
      shown: 'revenue',
    };
    const made = await save({ parameters });
    expect(made).toEqual({
      object: 'saved_chart',
      id: expect.stringMatching(/^svch/),
      display_name: 'Revenue',
      visibility: 'project',
      chart_name: 'revenue',
      parameters,
      position: 1,
      created_at: server.clock.nowMs(),
      updated_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${made.id}`)).body).toEqual(made);
    server.clock.advanceMs(1);
    const renamed = await owner.session.post(`${path}/${made.id}`, { display_name: 'Proceeds' });
    const changed = { ...made, display_name: 'Proceeds', updated_at: server.clock.nowMs() };
    expect([renamed.status, renamed.body]).toEqual([200, changed]);
    const asked = await owner.session.post(`${path}/${made.id}`, { chart_name: 'mrr', parameters: {} });
    expect(asked.body).toEqual({ ...changed, chart_name: 'mrr', parameters: {} });
    const deleted = await owner.session.delete(`${path}/${made.id}`);
    expect(deleted.body).toEqual({ object: 'saved_chart', id: made.id, deleted_at: server.clock.nowMs() });
    expect((await owner.session.get(`${path}/${made.id}`)).status).toBe(404);
  });

  it('checks the question with the parameters that stay', async () => {
    const { id } = await save({ parameters: { selectors: { revenue_type: 'proceeds' } } });
    const answer = await owner.session.post(`${path}/${id}`, { chart_name: 'actives' });
    expect([answer.status, answer.body.param]).toEqual([400, 'parameters.selectors']);
  });

  it('lists them oldest first, page by page', async () => {
    for (const display_name of ['a', 'b', 'c']) await save({ display_name });
    expect(namesOf(await walkList(owner.session, path, 2))).toEqual(['a', 'b', 'c']);
  });

  it('reads days as a custom range', async () => {
    const days = { start_date: '2026-01-01', end_date: '2026-01-31' };
    const { parameters } = await save({ parameters: days });
    expect(parameters).toEqual({ range: 'custom', ...days });
  });

  it.each<[object, string]>([
    [{ display_name: '' }, 'display_name'],
    [{ display_name: 'x'.repeat(256) }, 'display_name'],
    [{ chart_name: 'happiness' }, 'chart_name'],
    [{ chart_name: 'paywall_views' }, 'chart_name'],
    [{ chart_name: 7 }, 'chart_name'],
    [{ visibility: 'public' }, 'visibility'],
    [{ parameters: 'all' }, 'parameters'],
    [{ parameters: { mood: 'good' } }, 'parameters.mood'],
    [{ parameters: { range: '5d' } }, 'parameters.range'],
    [{ parameters: { range: '90d', start_date: '2026-01-01' } }, 'parameters.start_date'],
    [{ parameters: { start_date: '2026-02-30' } }, 'parameters.start_date'],
    [{ parameters: { start_date: '2026-03-01', end_date: '2026-02-01' } }, 'parameters.end_date'],
    [{ parameters: { start_date: '2015-01-01', resolution: 'day' } }, 'parameters.start_date'],
    [{ parameters: { resolution: 'hour' } }, 'parameters.resolution'],
    [{ parameters: { currency: 'XXX' } }, 'parameters.currency'],
    [{ parameters: { environment: 'both' } }, 'parameters.environment'],
    [{ parameters: { segment: 'mood' } }, 'parameters.segment'],
    [{ parameters: { segment: ['country'] } }, 'parameters.segment'],
    [{ parameters: { filters: [{ name: 'mood', values: ['good'] }] } }, 'parameters.filters'],
    [{ parameters: { filters: { country: 'US' } } }, 'parameters.filters'],
    [{ parameters: { filters: [{ name: 'country', values: ['\u0000'] }] } }, 'parameters'],
    [{ parameters: { filters: [{ name: 'country', values: ['x'.repeat(20_001)] }] } }, 'parameters'],
    [{ parameters: { selectors: { revenue_type: 'gifts' } } }, 'parameters.selectors'],
    [{ parameters: { compare: 'after' } }, 'parameters.compare'],
    [{ parameters: { draw: 'pie' } }, 'parameters.draw'],
    [{ parameters: { shown: 'mood' } }, 'parameters.shown'],
    [
      {
        chart_name: 'subscription_retention',
        parameters: { filters: [{ name: 'product_duration', values: ['P1M', 'P1Y'] }] },
      },
      'parameters.filters',
    ],
  ])('rejects %j and names the field', async (body, param) => {
    const asked = { display_name: 'x', chart_name: 'revenue', ...body };
    const answer = await owner.session.post(path, asked);
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
  });

  it('hides a private chart from everyone else', async () => {
    const mine = await save({ display_name: 'Mine', visibility: 'private' });
    await save({ display_name: 'Ours' });
    const { session } = await joinAs(server, 'admin', owner.projectId);
    const key = (await createSecretKey(owner.session, owner.projectId)).client;
    for (const other of [session, key]) {
      expect(namesOf((await other.get(path)).body.items)).toEqual(['Ours']);
      expect(namesOf(await boardOf(other))).toEqual(['Ours']);
      const one = `${path}/${mine.id}`;
      const answers = [
        await other.get(one),
        await other.post(one, { display_name: 'x' }),
        await other.delete(one),
        await other.send('PUT', board, { saved_chart_ids: [mine.id] }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    expect(namesOf((await owner.session.get(path)).body.items)).toEqual(['Mine', 'Ours']);
  });

  it('gives secret keys no private charts', async () => {
    const key = (await createSecretKey(owner.session, owner.projectId)).client;
    const body = { display_name: 'x', chart_name: 'revenue', visibility: 'private' };
    const answer = await key.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([400, 'visibility']);
    const { id, visibility } = await save({}, key);
    expect(visibility).toBe('project');
    expect((await owner.session.delete(`${path}/${id}`)).status).toBe(200);
  });

  it('deletes the private charts of a member who leaves, and keeps those of the project', async () => {
    const { session } = await joinAs(server, 'developer', owner.projectId);
    const userId = (await session.get('/auth/me')).body.user.id;
    await save({ display_name: 'Mine', visibility: 'private' }, session);
    await save({ display_name: 'Ours' }, session);
    await owner.session.delete(`/v2/projects/${owner.projectId}/collaborators/${userId}`);
    const rows: unknown = await server.dataSource.query(
      'SELECT display_name FROM saved_charts WHERE project_id = $1',
      [owner.projectId],
    );
    expect(rows).toEqual([{ display_name: 'Ours' }]);
  });

  it('limits private charts to 50 a member', async () => {
    await server.dataSource.query(
      `INSERT INTO saved_charts SELECT $1, 'svch' || i, $2, 'x', 'revenue', '{}', i, $3, $3 FROM generate_series(1, 49) i`,
      [owner.projectId, (await owner.session.get('/auth/me')).body.user.id, new Date(NOW)],
    );
    await save({ visibility: 'private' });
    const body = { display_name: 'x', chart_name: 'revenue', visibility: 'private' };
    expect((await owner.session.post(path, body)).status).toBe(422);
    await save();
  });

  it('writes each change to the audit log, without names and filters', async () => {
    const parameters = { filters: [{ name: 'country', values: ['DE'] }] };
    const { id } = await save({ display_name: 'Secret plan', visibility: 'private' });
    server.clock.advanceMs(1);
    await owner.session.post(`${path}/${id}`, { display_name: 'Other plan', chart_name: 'mrr', parameters });
    server.clock.advanceMs(1);
    await owner.session.send('PUT', board, { saved_chart_ids: [id] });
    server.clock.advanceMs(1);
    await owner.session.delete(`${path}/${id}`);
    const { body, text } = await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs`);
    const actions = body.items.map((row: Json) => row.action_type);
    expect(actions.slice(0, 4)).toEqual([
      'saved_chart_deleted',
      'saved_chart_reordered',
      'saved_chart_updated',
      'saved_chart_created',
    ]);
    expect(text).not.toMatch(/plan|DE"/);
  });

  it('lets readers of charts read, and only editors of the project write', async () => {
    const { id } = await save();
    const { session } = await joinAs(server, 'viewer', owner.projectId);
    const charts = (await createSecretKey(owner.session, owner.projectId, ['charts_metrics:charts:read']))
      .client;
    const body = { display_name: 'x', chart_name: 'revenue', visibility: 'project' };
    for (const reader of [session, charts]) {
      expect((await reader.get(path)).status).toBe(200);
      expect((await reader.get(board)).status).toBe(200);
      expect((await reader.post(path, body)).status).toBe(403);
      expect((await reader.post(`${path}/${id}`, { display_name: 'y' })).status).toBe(403);
      expect((await reader.send('PUT', board, { saved_chart_ids: [id] })).status).toBe(403);
      expect((await reader.delete(`${path}/${id}`)).status).toBe(403);
    }
    const customers = ['customer_information:customers:read'];
    const key = (await createSecretKey(owner.session, owner.projectId, customers)).client;
    expect((await key.get(path)).status).toBe(403);
    expect((await key.get(board)).status).toBe(403);
  });

  it('belongs to one project', async () => {
    const { id } = await save();
    const other = await signUp(server, { projectName: 'Other' });
    const theirs = `/v2/projects/${other.projectId}`;
    expect((await other.session.get(`${theirs}/saved_charts/${id}`)).status).toBe(404);
    expect((await other.session.get(`${theirs}/saved_charts`)).body.items).toEqual([]);
    expect((await other.session.get(`${theirs}/chart_board`)).body.items).toEqual([]);
    expect((await other.session.get(path)).status).toBe(404);
  });

  describe('on a board', () => {
    it('answers each with a figure of its own question', async () => {
      await save({ parameters: { range: 'last_month', currency: 'EUR', segment: 'country' } });
      await save({ chart_name: 'mrr', display_name: 'MRR' });
      await save({ chart_name: 'cohort_explorer', display_name: 'Cohorts' });
      const items = await boardOf(owner.session, '?currency=GBP&environment=sandbox');
      expect(items.map(({ object, problem }) => [object, problem])).toEqual(
        items.map(() => ['board_chart', null]),
      );
      expect(items.map(({ preview }) => preview)).toMatchObject([
        {
          id: 'revenue',
          currency: 'EUR',
          start_date: '2026-04-01',
          end_date: '2026-04-30',
          resolution: 'day',
          value: 0,
          value_of: 'total',
        },
        {
          id: 'mrr',
          currency: 'GBP',
          start_date: '2026-02-10',
          end_date: '2026-05-10',
          resolution: 'week',
          value_of: 'latest',
        },
        { id: 'cohort_explorer', measure: null, value: null, values: [], start_date: '2025-06-01' },
      ]);
      expect(items[0]?.preview.values).toHaveLength(30);
    });

    it('says why a question has no answer any more, and answers the others', async () => {
      const { id } = await save({ display_name: 'Old' });
      await save();
      await server.dataSource.query(
        `UPDATE saved_charts SET parameters = '{"segment": "country", "filters": [{"name": "gone", "values": ["x"]}]}'
         WHERE project_id = $1 AND id = $2`,
        [owner.projectId, id],
      );
      const [old, other] = await boardOf(owner.session);
      expect([old?.preview, old?.problem]).toEqual([null, expect.stringContaining('"gone"')]);
      expect([other?.preview.id, other?.problem]).toEqual(['revenue', null]);
    });

    it('shows the first 12 in the chosen order, private ones among them', async () => {
      const charts: Json[] = [];
      for (let index = 1; index <= 14; index++) {
        const visibility = index % 2 === 0 ? 'private' : 'project';
        charts.push(await save({ display_name: `c${index}`, visibility }));
      }
      expect(namesOf(await boardOf(owner.session))).toEqual(
        charts.slice(0, 12).map(({ display_name: name }) => name),
      );
      const [first, last] = [charts[12]?.id, charts[13]?.id];
      const moved = await owner.session.send('PUT', board, { saved_chart_ids: [last, first] });
      expect(namesOf(moved.body.items).slice(0, 3)).toEqual(['c14', 'c13', 'c1']);
      expect(moved.body.items.map(({ position }: Json) => position)).toEqual(charts.map((_, at) => at + 1));
      expect(namesOf(await boardOf(owner.session)).slice(0, 3)).toEqual(['c14', 'c13', 'c1']);
      const { session } = await joinAs(server, 'viewer', owner.projectId);
      expect(namesOf(await boardOf(session))).toEqual(['c13', 'c1', 'c3', 'c5', 'c7', 'c9', 'c11']);
    });

    it.each<[unknown, number]>([
      ['svch1', 400],
      [[7], 400],
      [['svchunknown'], 404],
      [Array.from({ length: 251 }, (_, index) => `svch${index}`), 400],
    ])('rejects the order %j', async (saved_chart_ids, status) => {
      const answer = await owner.session.send('PUT', board, { saved_chart_ids });
      expect([answer.status, answer.body.param]).toEqual([status, 'saved_chart_ids']);
    });

    it('rejects an order that names a chart twice', async () => {
      const { id } = await save();
      const answer = await owner.session.send('PUT', board, { saved_chart_ids: [id, id] });
      expect([answer.status, answer.body.param]).toEqual([400, 'saved_chart_ids']);
    });

    it.each(['currency=XXX', 'environment=both'])('rejects %s', async (query) => {
      const answer = await owner.session.get(`${board}?${query}`);
      expect([answer.status, answer.body.param]).toEqual([400, query.split('=')[0]]);
    });
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/chart_board`,
    'charts_metrics:charts:read',
  );
});
