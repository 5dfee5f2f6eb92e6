import { ManualClock } from '../../libs/kernel/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createChannel } from '../support/arrange-digests.js';
import { createSecretKey, joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');

describe('digests', () => {
  let server: TestServer;
  let owner: SignedUp;
  let path: string;
  let memberId: string;
  let channelId: string;

  beforeAll(async () => {
    server = await startTestServer({
      clock: new ManualClock(NOW),
      env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    owner = await signUp(server, { projectName: 'Acme' });
    path = `/v2/projects/${owner.projectId}/digests`;
    memberId = await userIdOf(owner);
    channelId = await createChannel(server, owner.projectId, 'slack');
  });

  const userIdOf = async ({ session }: SignedUp): Promise<string> =>
    (await session.get('/auth/me')).body.user.id;
  const create = async (body: object = {}): Promise<Json> => {
    server.clock.advanceMs(1);
    const answer = await owner.session.post(path, {
      name: 'Figures',
      destination_id: channelId,
      period: 'daily',
      ...body,
    });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const at = (time: string): number => Date.parse(time);

  it('creates, reads, changes and deletes a digest', async () => {
    const made = await create();
    expect(made).toEqual({
      object: 'digest',
      id: expect.stringMatching(/^dig_.{16}$/),
      name: 'Figures',
      destination_id: channelId,
      emails: [],
      period: 'daily',
      weekday: 1,
      hour: 9,
      time_zone: 'UTC',
      figures: [
        'revenue',
        'mrr',
        'active_subscriptions',
        'active_trials',
        'new_customers',
        'new_trials',
        'new_subscriptions',
        'churned',
        'refunds',
        'problems',
      ],
      environment: 'production',
      send_empty: true,
      enabled: true,
      next_at: at('2026-11-28T09:00:00Z'),
      last_sent_at: null,
      last_period: null,
      created_at: server.clock.nowMs(),
    });
    expect((await owner.session.get(`${path}/${made.id}`)).body).toEqual(made);
    const body = {
      name: 'Week',
      destination_id: null,
      emails: [memberId, memberId],
      period: 'weekly',
      weekday: 5,
      hour: 17,
      time_zone: 'America/New_York',
      figures: ['problems', 'revenue'],
      environment: 'sandbox',
      send_empty: false,
    };
    const changed = await owner.session.post(`${path}/${made.id}`, body);
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        ...body,
        emails: [memberId],
        figures: ['revenue', 'problems'],
        next_at: at('2026-11-27T22:00:00Z'),
      },
    ]);
    const off = await owner.session.post(`${path}/${made.id}`, { enabled: false });
    expect(off.body).toEqual({ ...changed.body, enabled: false, next_at: null });
    const deleted = await owner.session.delete(`${path}/${made.id}`);
    expect(deleted.body).toEqual({ object: 'digest', id: made.id, deleted_at: server.clock.nowMs() });
    expect((await owner.session.get(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.session.delete(`${path}/${made.id}`)).status).toBe(404);
  });

  it('keeps the next time when other fields change', async () => {
    const { id, next_at } = await create();
    server.clock.advanceMs(24 * 3_600_000);
    const renamed = await owner.session.post(`${path}/${id}`, { name: 'Other', figures: ['mrr'] });
    expect(renamed.body.next_at).toBe(next_at);
    const moved = await owner.session.post(`${path}/${id}`, { hour: 14 });
    expect(moved.body.next_at).toBe(at('2026-11-28T14:00:00Z'));
  });

  it('records the values of a change in the audit log', async () => {
    const { id } = await create();
    server.clock.advanceMs(1);
    await owner.session.post(`${path}/${id}`, { hour: 8 });
    const log = await owner.session.get(`/v2/projects/${owner.projectId}/audit_logs?limit=1`);
    expect(log.body.items).toMatchObject([
      {
        action_type: 'digest_updated',
        additional_data: { changed_fields: ['hour'], changes: { hour: { old: 9, new: 8 } } },
      },
    ]);
  });

  it('lists digests oldest first, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const items = await walkList(owner.session, path, 2);
    expect(items.map(({ name }: Json) => name)).toEqual(['a', 'b', 'c']);
  });

  it.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ period: 'hourly' }, 'period'],
    [{ weekday: 0 }, 'weekday'],
    [{ weekday: 8 }, 'weekday'],
    [{ hour: 24 }, 'hour'],
    [{ hour: 9.5 }, 'hour'],
    [{ time_zone: 'Europe/Atlantis' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ figures: [] }, 'figures'],
    [{ figures: ['happiness'] }, 'figures'],
    [{ environment: 'both' }, 'environment'],
    [{ send_empty: 'yes' }, 'send_empty'],
    [{ emails: 'all' }, 'emails'],
    [{ destination_id: null }, 'emails'],
    [{ destination_id: null, emails: [], enabled: false }, 'emails'],
    [{ destination_id: null, emails: Array(21).fill('usr_1') }, 'emails'],
  ])('rejects %j with 400', async (change, param) => {
    const body = { name: 'Figures', destination_id: channelId, period: 'daily', ...change };
    const answer = await owner.session.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('rejects two places, and a change that leaves none', async () => {
    const both = { name: 'Figures', destination_id: channelId, emails: [memberId], period: 'daily' };
    const created = await owner.session.post(path, both);
    expect([created.status, created.body.param]).toEqual([400, 'emails']);
    const { id } = await create();
    for (const change of [{ emails: [memberId] }, { destination_id: null }]) {
      const answer = await owner.session.post(`${path}/${id}`, change);
      expect([answer.status, answer.body.param]).toEqual([400, 'emails']);
    }
  });

  it('answers 404 to members and destinations of others', async () => {
    const stranger = await signUp(server);
    const strangersId = await userIdOf(stranger);
    const elsewhere = await createChannel(server, stranger.projectId, 'discord');
    const webhook = await owner.session.post(`/v2/projects/${owner.projectId}/integrations/webhooks`, {
      name: 'Backend',
      url: 'https://example.com/hook',
    });
    const missing: [object, string][] = [
      [{ emails: [memberId, strangersId], destination_id: null }, 'emails'],
      [{ emails: ['usr_unknown'], destination_id: null }, 'emails'],
      [{ destination_id: elsewhere }, 'destination_id'],
      [{ destination_id: webhook.body.id }, 'destination_id'],
    ];
    const { id } = await create();
    for (const [body, param] of missing) {
      for (const url of [path, `${path}/${id}`]) {
        const answer = await owner.session.post(url, { name: 'Figures', period: 'daily', ...body });
        expect([answer.status, answer.body.param]).toEqual([404, param]);
      }
    }
    for (const url of [`/v2/projects/${stranger.projectId}/digests/${id}`, `${path}/dig_unknown`]) {
      const client = url.startsWith(path) ? owner.session : stranger.session;
      expect((await client.get(url)).status).toBe(404);
      expect((await client.get(`${url}/preview`)).status).toBe(404);
      expect((await client.post(url, { hour: 8 })).status).toBe(404);
    }
  });

  it('accepts at most 20 in a project', async () => {
    const created = await Promise.all(
      Array.from({ length: 23 }, () =>
        owner.session.post(path, { name: 'Figures', destination_id: channelId, period: 'daily' }),
      ),
    );
    expect(created.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 422, 422, 422]);
  });

  it('requires the permissions of charts, too', async () => {
    const { id } = await create();
    const integrations = 'project_configuration:integrations:read_write';
    for (const missing of ['charts_metrics:overview:read', 'charts_metrics:charts:read']) {
      const others = ['charts_metrics:overview:read', 'charts_metrics:charts:read'].filter(
        (name) => name !== missing,
      );
      const { client } = await createSecretKey(owner.session, owner.projectId, [integrations, ...others]);
      const answers = await Promise.all([
        client.get(path),
        client.get(`${path}/${id}`),
        client.get(`${path}/${id}/preview`),
        client.post(path, { name: 'Figures', destination_id: channelId, period: 'daily' }),
        client.post(`${path}/${id}`, { hour: 8 }),
        client.post(`${path}/${id}/actions/send_now`, {}),
        client.delete(`${path}/${id}`),
      ]);
      for (const { status, body } of answers)
        expect([status, body.message]).toEqual([403, expect.stringContaining(`\`${missing}\``)]);
    }
  });

  it('lets viewers read but not change digests', async () => {
    const { id } = await create();
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    expect((await viewer.session.get(`${path}/${id}`)).status).toBe(200);
    expect((await viewer.session.post(`${path}/${id}`, { hour: 8 })).status).toBe(403);
  });

  describe.each([
    ['GET', 'project_configuration:integrations:read'],
    ['POST', 'project_configuration:integrations:read_write'],
  ] as const)('%s', (method, permission) => {
    describeAccess(
      () => server,
      method,
      (projectId) => `/v2/projects/${projectId}/digests`,
      permission,
    );
  });
});
