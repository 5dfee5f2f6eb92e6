import {
  createOrganization,
  startEnterpriseServer,
  startLicensedServer,
} from '../support/arrange-enterprise.js';
import { signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the enterprise edition', () => {
  const servers: TestServer[] = [];
  const started = async (server: Promise<TestServer>): Promise<TestServer> => {
    servers.push(await server);
    return server;
  };

  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  it('is not there in the open build: 404', async () => {
    const server = await started(startTestServer());
    const { session } = await signUp(server);
    for (const path of ['/v2/enterprise', '/v2/organizations', '/v2/organizations/org_x']) {
      expect([path, (await session.get(path)).status]).toEqual([path, 404]);
    }
    expect(
      Object.keys(server.document.paths).filter((path) => /enterprise|organizations/.test(path)),
    ).toEqual([]);
  });

  it('has every feature in development, and a person can make an organization', async () => {
    const server = await started(startEnterpriseServer());
    const { id, path, owner } = await createOrganization(server);
    expect((await server.http.get('/v2/enterprise')).status).toBe(401);
    const { body: status } = await owner.session.get('/v2/enterprise');
    expect(status).toMatchObject({ mode: 'development', licensee: null, expires_at: null });
    expect(status.features).toHaveLength(7);
    const { body } = await owner.session.get(path);
    expect(body).toMatchObject({
      object: 'organization',
      id,
      your_role: 'owner',
      region: 'us',
      member_count: 1,
    });
    const { body: list } = await owner.session.get('/v2/organizations');
    expect(list.items).toEqual([body]);
    const stranger = await signUp(server);
    expect((await stranger.session.get(path)).status).toBe(404);
  });

  it('has the features of its licence; others answer 403 naming them', async () => {
    const server = await started(startLicensedServer(['sso']));
    const { session } = await signUp(server);
    const { body } = await session.get('/v2/enterprise');
    expect(body).toMatchObject({ mode: 'licensed', licensee: 'Acme GmbH', features: ['sso'], message: null });
    const refused = await session.post('/v2/organizations', { name: 'Acme' });
    expect([refused.status, refused.body.type]).toEqual([403, 'authorization_error']);
    expect(refused.body.message).toContain('`organizations`');
  });
});
