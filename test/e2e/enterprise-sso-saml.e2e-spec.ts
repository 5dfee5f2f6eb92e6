import { startEnterpriseServer } from '../support/arrange-enterprise.js';
import { arrangeSaml, type SamlScene, signInBySaml } from '../support/arrange-sso.js';
import type { TestServer } from '../support/test-server.js';

let server: TestServer;
let scene: SamlScene;

beforeAll(async () => {
  server = await startEnterpriseServer();
  scene = await arrangeSaml(server, { domain: 'corp.example' });
});

afterAll(() => server.close());

describe('sign-in by SAML', () => {
  it('makes an account, a membership and a session', async () => {
    const { browser, answer } = await signInBySaml(server, scene, {
      nameId: 'Ada@corp.example',
      attributes: { givenName: 'Ada', surname: 'Lovelace', groups: ['Engineers', 'Admins'] },
      next: '/projects?x=1#y',
    });
    expect(answer.status).toBe(303);
    expect(answer.headers).toMatchObject({ location: '/projects?x=1#y', 'cache-control': 'no-store' });
    const me = await browser.client().get('/auth/me');
    expect(me.body.user).toMatchObject({
      email: 'ada@corp.example',
      name: 'Ada Lovelace',
      email_verified: true,
      has_password: false,
    });
    const { body } = await browser.client().get('/auth/sessions');
    expect(body.items).toEqual([expect.objectContaining({ method: 'sso', current: true })]);
  });
});
