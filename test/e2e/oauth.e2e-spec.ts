import { joinAs, type SignedUp, signUp } from '../support/arrange.js';
import { letClientIn } from '../support/arrange-oauth.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ALL = 'project:read project:write project:money';

describe('OAuth', () => {
  let server: TestServer;
  let ada: SignedUp;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    ada = await signUp(server);
  });

  afterAll(() => server.close());

  it('lets a client call REST v2 of the project that the person chose', async () => {
    const { client, tokens } = await letClientIn(server, ada);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^atk_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rtk_[\w-]{43}$/),
      scope: ALL,
    });
    const { body } = await client.get('/v2/projects');
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([ada.projectId]);
    const made = await client.post(`/v2/projects/${ada.projectId}/entitlements`, {
      lookup_key: 'pro',
      display_name: 'Pro',
    });
    expect(made.status).toBe(201);
    const viewer = await joinAs(server, 'viewer', ada.projectId);
    const less = await letClientIn(server, { ...viewer, projectId: ada.projectId });
    expect(less.tokens.scope).toBe('project:read');
  });
});
