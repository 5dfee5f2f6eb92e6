import { ManualClock } from '../../libs/kernel/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('notes on days', () => {
  let server: TestServer;
  let owner: SignedUp;
  let path: string;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(Date.parse('2026-05-10T12:00:00Z')),
      env: { SERVICE_ALLOW_SIGNUP: 'true' },
    });
    owner = await signUp(server, { projectName: 'Acme' });
    path = `/v2/projects/${owner.projectId}/chart_notes`;
  });

  afterAll(() => server.close());

  const create = async (date: string, text: string): Promise<Json> => {
    server.clock.advanceMs(1);
    const { status, body } = await owner.session.post(path, { date, text });
    expect(status).toBe(201);
    return body;
  };
  const textsOf = async (query: string): Promise<string[]> =>
    (await owner.session.get(`${path}${query}`)).body.items.map(({ text }: Json) => text);

  it('creates, changes, lists by days and deletes notes, and audits each write', async () => {
    const release = await create('2026-03-01', 'Version 2 released');
    const price = await create('2026-04-15', 'Price raised');
    expect(release).toEqual({
      object: 'chart_note',
      id: release.id,
      date: '2026-03-01',
      text: 'Version 2 released',
      created_at: release.created_at,
    });
    expect((await owner.session.get(`${path}/${release.id}`)).body).toEqual(release);
    expect(await textsOf('?start_date=2026-03-01&end_date=2026-03-01')).toEqual(['Version 2 released']);
    expect(await textsOf('?start_date=2026-03-02')).toEqual(['Price raised']);

    const changed = await owner.session.post(`${path}/${price.id}`, { date: '2026-04-16' });
    expect(changed.body).toEqual({ ...price, date: '2026-04-16' });
    const firstPage = await owner.session.get(`${path}?limit=1`);
    expect(firstPage.body.items).toEqual([release]);
    expect((await owner.session.get(firstPage.body.next_page)).body.items).toEqual([changed.body]);

    const deleted = await owner.session.delete(`${path}/${release.id}`);
    expect(deleted.body).toMatchObject({ object: 'chart_note', id: release.id });
    expect(await textsOf('')).toEqual(['Price raised']);
    expect((await owner.session.get(`${path}/${release.id}`)).status).toBe(404);
    const log = await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs`);
    const actions = log.body.items.map(({ action_type: type }: Json) => type);
    expect(actions.filter((type: string) => type.startsWith('chart_note')).sort()).toEqual([
      'chart_note_created',
      'chart_note_created',
      'chart_note_deleted',
      'chart_note_updated',
    ]);
  });

  it.each([
    [{ date: '2026-02-30', text: 'x' }, 'date'],
    [{ date: 'yesterday!', text: 'x' }, 'date'],
    [{ date: '2026-02-20', text: '' }, 'text'],
    [{ date: '2026-02-20', text: 'x'.repeat(201) }, 'text'],
    [{ text: 'x' }, 'date'],
  ])('rejects %j', async (body, param) => {
    const answer = await owner.session.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('lets viewers read notes but not write them', async () => {
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    expect((await viewer.session.get(path)).status).toBe(200);
    expect((await viewer.session.post(path, { date: '2026-03-01', text: 'x' })).status).toBe(403);
  });

  describeAccess(
    () => server,
    'GET',
    (projectId) => `/v2/projects/${projectId}/chart_notes`,
    'charts_metrics:charts:read',
  );
});
