import { ForgottenPasswordsService } from '../../src/workspace/accounts/passwords/forgotten-passwords.service.js';
import {
  addOrganizationMember,
  createOrganization,
  enforceSso,
  startEnterpriseServer,
  startLicensedServer,
  type TestOrganization,
  verifyDomain,
} from '../support/arrange-enterprise.js';
import type { Answer } from '../support/api-client.js';
import { PASSWORD, signUp } from '../support/arrange.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { NameServer } from '../support/name-server.js';
import { idpMetadata, samlIdp, type SamlIdp } from '../support/saml-idp.js';
import type { TestServer } from '../support/test-server.js';
import { enableTwoFactor, startSignIn } from '../support/two-factor.js';

let server: TestServer;
let names: NameServer;
let mails: MailServer;
let organization: TestOrganization;
let idp: SamlIdp;
const ecIdp = samlIdp('ec.example', { curve: 'prime256v1' });
const weakIdp = samlIdp('weak.example', { curve: 'prime192v1' });

beforeAll(async () => {
  names = await NameServer.start();
  mails = await startMailServer();
  server = await startEnterpriseServer({ env: { SERVICE_DNS_SERVERS: names.address, ...mails.env } });
  organization = await createOrganization(server);
  idp = samlIdp('idp.example');
});

afterAll(async () => {
  await server.close();
  await names.stop();
  await mails.close();
});

const at = (path: string, { path: base }: TestOrganization = organization): string => `${base}/sso${path}`;
const post = (path: string, body?: unknown): Promise<Answer> =>
  organization.owner.session.post(at(path), body);
const get = (path: string): Promise<Answer> => organization.owner.session.get(at(path));
const create = (body: Record<string, unknown>): Promise<Answer> =>
  post('/connections', { kind: 'saml', name: 'Okta', saml: {}, ...body });

async function actions(): Promise<string[]> {
  const { body } = await organization.owner.session.get(`${organization.path}/audit_logs?limit=100`);
  return (body.items as { action: string }[]).map(({ action }) => action);
}

describe('connections', () => {
  it('starts empty, with the values that the provider needs', async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    const base = server.config.baseUrl;
    expect(body).toMatchObject({
      object: 'sso_connection',
      id: expect.stringMatching(/^ssoc_[0-9a-z]{12}$/),
      org_id: organization.id,
      kind: 'saml',
      enabled: false,
      jit: true,
      saml: { idp_entity_id: null, idp_sso_url: null, idp_certificates: [], allow_idp_initiated: false },
      sp: {
        entity_id: `${base}/sso/saml/${body.id}/metadata`,
        metadata_url: `${base}/sso/saml/${body.id}/metadata`,
        acs_url: `${base}/sso/saml/${body.id}/acs`,
        start_url: `${base}/sso/connections/${body.id}/start`,
      },
    });
    expect(body).not.toHaveProperty('oidc');
    expect((await get(`/connections/${body.id}`)).body).toEqual(body);
  });

  it('reads metadata, unless the values are sent as well', async () => {
    const whole = await create({ enabled: true, saml: { metadata_xml: idpMetadata(idp) } });
    expect(whole.body.saml).toMatchObject({
      idp_entity_id: idp.entityId,
      idp_sso_url: idp.ssoUrl,
      idp_certificates: [expect.stringContaining('BEGIN CERTIFICATE')],
      certificate_warnings: [],
    });
    expect(whole.text).not.toContain('metadata_xml');
    const mixed = await create({
      saml: { metadata_xml: idpMetadata(idp), idp_sso_url: 'https://idp.example/other?app=1' },
    });
    expect(mixed.body.saml).toMatchObject({
      idp_entity_id: idp.entityId,
      idp_sso_url: 'https://idp.example/other?app=1',
    });
  });

  it('accepts certificates that have expired, and says so', async () => {
    const old = samlIdp('old.example', { toMs: Date.UTC(2025, 4, 6) });
    const bare = old.certificate.replace(/-----[^-]+-----|\s/g, '');
    const { body } = await create({ saml: { idp_certificates: [bare, idp.certificate] } });
    expect(body.saml.certificate_warnings).toEqual(['Certificate 1 expired on 2025-05-06.']);
  });

  it('changes field by field, and records what changed but no secret', async () => {
    const created = await post('/connections', {
      kind: 'oidc',
      name: 'Entra',
      oidc: { issuer: 'https://login.example/v2.0', client_id: 'a', client_secret: 'first secret' },
    });
    expect(created.body).toMatchObject({
      oidc: { has_client_secret: true, scopes: 'openid email profile', groups_claim: null },
      sp: { redirect_uri: expect.stringMatching(/\/sso\/oidc\/ssoc_\w+\/callback$/) },
    });
    const path = `/connections/${created.body.id}`;
    server.clock.advanceMs(1000);
    const changed = await post(path, {
      name: 'Entra ID',
      enabled: true,
      oidc: { scopes: 'email email', client_secret: 'second secret' },
    });
    expect(changed.body).toMatchObject({
      name: 'Entra ID',
      enabled: true,
      oidc: { issuer: 'https://login.example/v2.0', client_id: 'a', scopes: 'openid email' },
      updated_at: server.clock.nowMs(),
    });
    const { body, text } = await organization.owner.session.get(`${organization.path}/audit_logs`);
    expect(body.items[0]).toMatchObject({
      action: 'sso_connection_updated',
      target: { type: 'sso_connection', id: created.body.id },
      data: {
        changes: {
          name: ['Entra', 'Entra ID'],
          enabled: [false, true],
          scopes: ['openid email profile', 'openid email'],
          client_secret: 'changed',
        },
      },
    });
    expect(text).not.toContain('second secret');
    const before = (await actions()).length;
    expect((await post(path, { name: 'Entra ID' })).status).toBe(200);
    expect(await actions()).toHaveLength(before);
    const removed = await post(path, { oidc: { client_secret: null } });
    expect(removed.body.oidc.has_client_secret).toBe(false);
    const gone = await organization.owner.session.delete(at(path));
    expect(gone.body).toEqual({
      object: 'sso_connection',
      id: created.body.id,
      deleted_at: server.clock.nowMs(),
    });
    expect((await get(path)).status).toBe(404);
  });

  it('uses the valid keys of metadata, beside others', async () => {
    const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
    const key = /<md:KeyDescriptor.*<\/md:KeyDescriptor>/.exec(idpMetadata(idp))?.[0] ?? '';
    const both = `${key.replace(bare(idp.certificate), bare(weakIdp.certificate))}${key}`;
    const { body } = await create({
      enabled: true,
      saml: { metadata_xml: idpMetadata(idp).replace(key, both) },
    });
    expect(body.saml).toMatchObject({ idp_certificates: [idp.certificate], certificate_warnings: [] });
  });

  it('accepts EC keys', async () => {
    const { body } = await create({ enabled: true, saml: { metadata_xml: idpMetadata(ecIdp) } });
    expect(body.saml).toMatchObject({ idp_certificates: [ecIdp.certificate], certificate_warnings: [] });
  });

  const url = 'https://idp.example/sso';
  it.each([
    ['kind', { kind: 'ldap' }],
    ['kind', { kind: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['saml', { saml: undefined }],
    ['saml', { saml: 'x' }],
    ['oidc', { oidc: {} }],
    ['saml', { kind: 'oidc', oidc: {} }],
    ['enabled', { enabled: 'yes' }],
    ['jit', { jit: null }],
    ['saml.idp_entity_id', { enabled: true }],
    ['saml.idp_sso_url', { enabled: true, saml: { idp_entity_id: 'x' } }],
    ['saml.idp_certificates', { enabled: true, saml: { idp_entity_id: 'x', idp_sso_url: url } }],
    ['saml.idp_entity_id', { saml: { idp_entity_id: 'x'.repeat(1025) } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'javascript:alert(1)' } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: '/sso' } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'http://idp.example/sso' } }],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'http://localhost/sso' } }],
    [
      'saml.metadata_xml',
      { saml: { metadata_xml: idpMetadata({ ...ecIdp, ssoUrl: 'http://idp.example/sso' }) } },
    ],
    ['saml.idp_sso_url', { saml: { idp_sso_url: 'https://user:pass@idp.example/' } }],
    ['saml.idp_certificates', { saml: { idp_certificates: [] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: ['x y z'] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: ['AAAA'] } }],
    ['saml.idp_certificates', { saml: { idp_certificates: Array.from({ length: 6 }, () => 'AAAA') } }],
    ['saml.idp_certificates', { saml: { idp_certificates: [weakIdp.certificate] } }],
    ['saml.metadata_xml', { saml: { metadata_xml: idpMetadata(weakIdp) } }],
    ['saml.metadata_xml', { saml: { metadata_xml: 'hello' } }],
    ['saml.metadata_xml', { saml: { metadata_xml: '<!DOCTYPE a><a/>' } }],
    ['saml.email_attribute', { saml: { email_attribute: 'x'.repeat(256) } }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: {}, enabled: true }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: { issuer: 'example.com' } }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: { issuer: 'https://a.example/?x=1' } }],
    ['oidc.issuer', { kind: 'oidc', saml: undefined, oidc: { issuer: 'http://8.8.8.8/' } }],
    [
      'oidc.client_id',
      { kind: 'oidc', saml: undefined, enabled: true, oidc: { issuer: 'https://a.example' } },
    ],
    ['oidc.client_id', { kind: 'oidc', saml: undefined, oidc: { client_id: '' } }],
    ['oidc.scopes', { kind: 'oidc', saml: undefined, oidc: { scopes: 'a  b' } }],
    ['oidc.client_secret', { kind: 'oidc', saml: undefined, oidc: { client_secret: 'x'.repeat(1001) } }],
  ])('refuses a bad %s: %j', async (param, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('lists them page by page, oldest first', async () => {
    const first = await get('/connections?limit=2');
    expect(first.body.items).toHaveLength(2);
    const second = await organization.owner.session.get(first.body.next_page as string);
    const ids = [...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const times = [...first.body.items, ...second.body.items].map((item) => item.created_at as number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect((await get('/connections?starting_after=ssoc_x')).body.param).toBe('starting_after');
  });
});

describe('domains', () => {
  const txtOf = (body: { txt_record: { name: string; value: string } }): void => {
    const { name, value } = body.txt_record;
    names.records.set(name, [['v=spf1 -all'], [value.slice(0, 20), value.slice(20)]]);
  };

  it('verifies them by a TXT record', async () => {
    const added = await post('/domains', { domain: '@Example.COM.' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      object: 'sso_domain',
      domain: 'example.com',
      verified: false,
      verified_at: null,
      txt_record: {
        type: 'TXT',
        name: '_service-sso.example.com',
        value: expect.stringMatching(/^service-sso-verification=[0-9a-f]{32}$/),
      },
      last_checked_at: null,
      last_error: null,
    });
    const again = await post('/domains', { domain: 'example.com' });
    expect([again.status, again.body]).toEqual([200, added.body]);

    const check = (): Promise<Answer> => post('/domains/example.com/actions/verify');
    expect((await check()).body).toMatchObject({
      verified: false,
      last_error: 'no_record',
      found: { txt: [] },
    });
    names.records.set('_service-sso.example.com', [['service-sso-verification=x']]);
    expect((await check()).body).toMatchObject({
      last_error: 'wrong_value',
      found: { txt: ['service-sso-verification=x'] },
    });
    names.code = 2;
    expect((await check()).body).toMatchObject({ last_error: 'dns_error', found: { txt: [] } });
    names.code = 0;
    txtOf(added.body);
    const nowMs = server.clock.nowMs();
    expect((await check()).body).toMatchObject({ verified: true, verified_at: nowMs, last_error: null });
    names.records.clear();
    server.clock.advanceMs(1000);
    expect((await check()).body).toMatchObject({
      verified: true,
      verified_at: nowMs,
      last_error: 'no_record',
      last_checked_at: nowMs + 1000,
    });
    const recorded = (await actions()).filter((action) => action.startsWith('sso_domain'));
    expect(recorded.sort()).toEqual(['sso_domain_added', 'sso_domain_verified']);
  });

  it.each(['', 'com', 'gmail.com', 'a b.com', '127.0.0.1', 'x'.repeat(301), 7])(
    'refuses %j',
    async (domain) => {
      const { status, body } = await post('/domains', { domain });
      expect([status, body.param]).toEqual([400, 'domain']);
    },
  );

  it('checks them at most ten times a minute', async () => {
    server.clock.advanceMs(60_000);
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => post('/domains/example.com/actions/verify')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers['retry-after']).toBe('60');
    server.clock.advanceMs(60_000);
  });

  it('belongs to the organization that verifies it first', async () => {
    const others = await Promise.all([createOrganization(server), createOrganization(server)]);
    const records = await Promise.all(
      others.map((other) => other.owner.session.post(at('/domains', other), { domain: 'race.example' })),
    );
    expect(records.map(({ status }) => status)).toEqual([201, 201]);
    const values = records.map(({ body }) => [body.txt_record.value as string]);
    names.records.set('_service-sso.race.example', values);
    const checks = await Promise.all(
      others.map((other) => other.owner.session.post(at('/domains/race.example/actions/verify', other))),
    );
    expect(checks.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await post('/domains', { domain: 'race.example' })).status).toBe(409);
    const winner = others[checks.findIndex(({ status }) => status === 200)] as TestOrganization;
    const deleted = await winner.owner.session.delete(at('/domains/race.example', winner));
    expect(deleted.body).toMatchObject({ object: 'sso_domain', id: 'race.example' });
    const loser = others.find((other) => other !== winner) as TestOrganization;
    const late = await loser.owner.session.post(at('/domains/race.example/actions/verify', loser));
    expect(late.body.verified).toBe(true);
  });
});

describe('the settings of single sign-on', () => {
  // Each row is whole: to a function of more arguments than its row has, Jest passes a callback to wait for.
  const routes: [method: 'get' | 'post' | 'delete', path: string, body: object | undefined][] = [
    ['get', '/connections', undefined],
    ['post', '/connections', { kind: 'saml', name: 'x', saml: {} }],
    ['get', '/connections/:id', undefined],
    ['post', '/connections/:id', { name: 'taken over' }],
    ['delete', '/connections/:id', undefined],
    ['get', '/domains', undefined],
    ['post', '/domains', { domain: 'mine.example' }],
    ['post', '/domains/example.com/actions/verify', undefined],
    ['delete', '/domains/example.com', undefined],
  ];
  let connectionId: string;
  let member: Awaited<ReturnType<typeof addOrganizationMember>>;
  let stranger: TestOrganization;

  beforeAll(async () => {
    connectionId = (await create({ name: 'Kept' })).body.id as string;
    member = await addOrganizationMember(server, organization, 'member');
    stranger = await createOrganization(server, { owner: await signUp(server) });
  });

  it.each(routes)('%s %s is for owners and admins of the organization', async (method, path, body) => {
    const url = at(path.replace(':id', connectionId));
    const call = (client: TestServer['http']): Promise<Answer> =>
      method === 'post' ? client.post(url, body) : client[method](url);
    expect((await call(server.http)).status).toBe(401);
    expect((await call(member.session)).status).toBe(403);
    expect((await call(stranger.owner.session)).status).toBe(404);
  });

  it.each(routes.filter(([, path]) => /:id|example\.com/.test(path)))(
    '%s %s does not reach into another organization',
    async (method, path, body) => {
      const url = at(path.replace(':id', connectionId), stranger);
      const { session } = stranger.owner;
      const { status } = await (method === 'post' ? session.post(url, body) : session[method](url));
      expect(status).toBe(404);
    },
  );

  it('keeps them as they were, hidden from everyone else', async () => {
    expect((await get(`/connections/${connectionId}`)).body.name).toBe('Kept');
    expect((await get('/domains')).body.items).toContainEqual(
      expect.objectContaining({ domain: 'example.com', verified: true }),
    );
    for (const list of ['/connections', '/domains']) {
      expect((await stranger.owner.session.get(at(list, stranger))).body.items).toEqual([]);
    }
  });
});

describe('where single sign-on is enforced', () => {
  const bücher = 'xn--bcher-kva.example';
  let strict: TestOrganization;
  const post = (path: string, body: object): Promise<Answer> =>
    server.http.post(path, body, { 'x-forwarded-for': `10.44.0.${++calls}` });
  let calls = 0;
  const person = (email: string, role: 'owner' | 'member' = 'member') =>
    addOrganizationMember(server, strict, role, { email });
  const refused = ({ status, body }: Answer): [number, string] => [status, body.type as string];
  const REFUSED = [403, 'sso_required'];
  /** Token in the link of the first mail to an address. */
  const tokenTo = async (email: string): Promise<string> => {
    while (mails.mailsTo(email).length === 0) await mails.received(mails.mails.length + 1);
    return mails.lastLinkTo(email).hash.replace('#token=', '');
  };

  beforeAll(async () => {
    strict = await createOrganization(server);
    await verifyDomain(server, strict, 'enforced.example');
    const added = await strict.owner.session.post(at('/domains', strict), { domain: 'Bücher.example' });
    expect(added.body.domain).toBe(bücher);
    await verifyDomain(server, strict, bücher);
  });

  beforeEach(() => enforceSso(server, strict, false));

  it('answers everyone alike for a forgotten password, and mails owners only', async () => {
    const owner = await person('boss@enforced.example', 'owner');
    const member = await person('kim@enforced.example');
    await enforceSso(server, strict);
    const emails = [owner.email, member.email, 'none@enforced.example'];
    const answers = await Promise.all(emails.map((email) => post('/auth/password/forgot', { email })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    await server.app.get(ForgottenPasswordsService, { strict: false }).waitForPending();
    await tokenTo(owner.email);
    expect(emails.map((email) => mails.mailsTo(email).length)).toEqual([1, 0, 0]);
  });

  it('refuses a sign-up with an invite, whose link stays open', async () => {
    await enforceSso(server, strict);
    const email = 'invited@enforced.example';
    const { session, projectId } = strict.owner;
    expect((await session.post(`/v2/projects/${projectId}/invites`, { email, role: 'viewer' })).status).toBe(
      201,
    );
    const token = await tokenTo(email);
    const signedUp = await post('/auth/signup', { email, password: PASSWORD, invite_token: token });
    expect(refused(signedUp)).toEqual(REFUSED);
    expect((await server.http.get(`/auth/invites/${token}`)).status).toBe(200);
  });

  it("opens nothing for a new password's link, which stays", async () => {
    const { email } = await person('lee@enforced.example');
    await post('/auth/password/forgot', { email });
    const token = await tokenTo(email);
    await enforceSso(server, strict);
    const reset = (): Promise<Answer> =>
      post('/auth/password/reset', { token, password: 'another long one' });
    expect(refused(await reset())).toEqual(REFUSED);
    await enforceSso(server, strict, false);
    expect((await reset()).status).toBe(200);
  });

  it('opens no session for a second step that was started before', async () => {
    const member = await person('two@enforced.example');
    const app = await enableTwoFactor(server, member);
    const loginToken = await startSignIn(server, member);
    await enforceSso(server, strict);
    const complete = (code: string): Promise<Answer> =>
      post('/auth/login/2fa', { login_token: loginToken, code });
    const late = await complete(app.freshCode());
    expect([...refused(late), late.headers['set-cookie']]).toEqual([...REFUSED, undefined]);
    await enforceSso(server, strict, false);
    expect((await complete(app.freshCode())).status).toBe(200);
  });

  it('prevents leaving by way of another address', async () => {
    const member = await person('out@enforced.example');
    const body = { email: 'out@elsewhere.example', password: PASSWORD };
    const change = (): Promise<Answer> => member.session.post('/auth/email/change', body);
    expect((await change()).status).toBe(200);
    const token = await tokenTo(body.email);
    await enforceSso(server, strict);
    expect(refused(await change())).toEqual(REFUSED);
    expect(refused(await post('/auth/email/change/confirm', { token }))).toEqual(REFUSED);
    await enforceSso(server, strict, false);
    expect((await post('/auth/email/change/confirm', { token })).body.email).toBe(body.email);
  });

  it.each(['ada@bücher.example', `ada@${bücher}`, 'ADA@BÜCHER.EXAMPLE', 'ada@bu\u0308cher。example'])(
    'treats no spelling of a domain as another domain: %j',
    async (email) => {
      const login = (): Promise<Answer> => post('/auth/login', { email, password: PASSWORD });
      const known = await server.http.post('/auth/login', { email: `ada@${bücher}`, password: PASSWORD });
      if (known.status === 401) {
        const signedUp = await signUp(server, { email: 'ada@bücher.example' });
        const ada = { ...signedUp, email: `ada@${bücher}` };
        await addOrganizationMember(server, strict, 'member', { person: ada });
      }
      expect((await login()).status).toBe(200);
      expect((await post('/auth/signup', { email, password: PASSWORD })).status).toBe(409);
      await enforceSso(server, strict);
      expect(refused(await login())).toEqual(REFUSED);
      expect(refused(await post('/auth/signup', { email, password: PASSWORD }))).toEqual(REFUSED);
    },
  );
});

describe('on the hosted edition', () => {
  let hosted: TestServer;
  let own: TestOrganization;

  beforeAll(async () => {
    hosted = await startLicensedServer(['organizations', 'sso'], {
      env: { ...mails.env, SERVICE_EDITION: 'cloud', SERVICE_ALLOW_PRIVATE_NETWORKS: 'false' },
    });
    own = await createOrganization(hosted);
  });

  afterAll(() => hosted.close());

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/realms/a',
    'https://169.254.169.254/',
    'https://100.100.100.200/',
    'https://localhost/',
    'https://idp.internal/',
    'http://8.8.8.8/',
    'http://idp.example/',
  ])('requires a public issuer from the start: %s', async (issuer) => {
    const connections = at('/connections', own);
    const created = await own.owner.session.post(connections, { kind: 'oidc', name: 'x', oidc: { issuer } });
    expect([created.status, created.body.param]).toEqual([400, 'oidc.issuer']);
    const empty = await own.owner.session.post(connections, { kind: 'oidc', name: 'x', oidc: {} });
    const changed = await own.owner.session.post(`${connections}/${empty.body.id}`, { oidc: { issuer } });
    expect([changed.status, changed.body.param]).toEqual([400, 'oidc.issuer']);
  });
});
