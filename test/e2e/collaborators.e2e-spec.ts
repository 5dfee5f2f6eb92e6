import { describeAccess } from '../support/access-checks.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, joinAs, signUp } from '../support/arrange.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';
import { walkList } from '../support/walk-list.js';

const COLLABORATORS_READ = 'project_configuration:collaborators:read';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
});

afterAll(() => server.close());

describe('GET /v2/projects/{project_id}/collaborators', () => {
  describeAccess(
    () => server,
    'GET',
    (id) => `/v2/projects/${id}/collaborators`,
    COLLABORATORS_READ,
  );

  it('shows the members in the order in which they came, to keys and to members of every role', async () => {
    const owner = await signUp(server);
    await owner.session.post('/auth/me', { name: 'Ada' });
    server.clock.advanceMs(1000);
    const developer = await joinAs(server, 'developer', owner.projectId);
    server.clock.advanceMs(1000);
    const viewer = await joinAs(server, 'viewer', owner.projectId);
    const path = `/v2/projects/${owner.projectId}/collaborators`;
    const item = (email: string, role: string, atMs: number, name: string | null = null) => ({
      object: 'collaborator',
      id: expect.stringMatching(/^usr_[0-9a-z]{16}$/),
      name,
      email,
      role,
      accepted_at: atMs,
      has_mfa: false,
    });
    const { client } = await createSecretKey(owner.session, owner.projectId, [COLLABORATORS_READ]);
    for (const reader of [owner.session, developer.session, viewer.session, client]) {
      const answer = await reader.get(path);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        object: 'list',
        items: [
          item(owner.email, 'admin', TEST_START_MS, 'Ada'),
          item(developer.email, 'developer', TEST_START_MS + 1000),
          item(viewer.email, 'read_only', TEST_START_MS + 2000),
        ],
        next_page: null,
        url: path,
      });
    }
    const { user } = (await viewer.session.get('/auth/me')).body;
    expect((await client.get(path)).body.items[2].id).toBe(user.id);
  });

  it('pages through members, also those of the same moment, and refuses cursors of other lists', async () => {
    const { session, projectId } = await signUp(server);
    for (let number = 0; number < 4; number++) await joinAs(server, 'viewer', projectId);
    const path = `/v2/projects/${projectId}/collaborators`;
    const all: Json[] = (await session.get(path)).body.items;
    expect(all).toHaveLength(5);
    expect(await walkList(session, path, 2)).toEqual(all);
    const stranger = await signUp(server);
    const foreign = (await stranger.session.get('/auth/me')).body.user.id as string;
    for (const cursor of [foreign, 'nobody']) {
      const answer = await session.get(`${path}?starting_after=${cursor}`);
      expect([answer.status, answer.body.param]).toEqual([400, 'starting_after']);
    }
  });
});
