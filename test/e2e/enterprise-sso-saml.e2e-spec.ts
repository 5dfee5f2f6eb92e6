import { ManualClock } from '../../libs/kernel/index.js';
import { ProcessMetrics } from '../../src/platform/observability/cluster-metrics.js';
import {
  addOrganizationMember,
  addOrganizationProject,
  createOrganization,
  enforceSso,
  startEnterpriseServer,
  userIdOf,
  verifyDomain,
} from '../support/arrange-enterprise.js';
import {
  arrangeSaml,
  Browser,
  postResponse,
  refusalsOf,
  requestXmlOf,
  type SamlScene,
  signInBySaml,
  startSaml,
} from '../support/arrange-sso.js';
import type { Answer } from '../support/api-client.js';
import { PASSWORD, signUp } from '../support/arrange.js';
import { letClientIn } from '../support/arrange-oauth.js';
import { samlAttacks } from '../support/saml-attacks.js';
import { posted, type ResponseParts, signedResponse } from '../support/saml-idp.js';
import { boxyPeer, samlifyPeer } from '../support/saml-peers.js';
import type { TestServer } from '../support/test-server.js';
import { enableTwoFactor, startSignIn } from '../support/two-factor.js';

const PUBLIC_URL = 'https://tenure.example';
let server: TestServer;
let scene: SamlScene;
let other: SamlScene;

beforeAll(async () => {
  // The peers live in the time of the machine.
  server = await startEnterpriseServer({
    clock: new ManualClock(Date.now()),
    env: { SERVICE_PUBLIC_URL: PUBLIC_URL },
  });
  scene = await arrangeSaml(server, { domain: 'corp.example' });
  other = await arrangeSaml(server, { domain: 'other.example' });
});

afterEach(() => {
  // Each test comes from the same address; the limits have a test of their own.
  server.clock.advanceMs(60_000);
});

afterAll(() => server.close());

const messageOf = ({ headers }: Answer): string | null =>
  new URL(headers.location ?? '', PUBLIC_URL).searchParams.get('sso_error');

const lastReason = async (of = scene): Promise<string | undefined> => (await refusalsOf(of))[0];

/** All of them, over the pages of the audit log. */
const auditedRefusals = async ({ organization }: SamlScene): Promise<number> => {
  const rows = await server.dataSource.query<{ count: string }[]>(
    `SELECT count(*) FROM organization_audit_logs WHERE org_id = $1 AND action = 'sso_sign_in_failed'`,
    [organization.id],
  );
  return Number(rows[0]?.count);
};

const refusalsCounted = async (reason: string): Promise<number> => {
  const text = await server.app.get(ProcessMetrics).text();
  return Number(new RegExp(`^tenure_sso_refused_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1]);
};

const partsOf = (inResponseTo: string | null, parts: Partial<ResponseParts> = {}): ResponseParts => ({
  nowMs: server.clock.nowMs(),
  inResponseTo,
  nameId: 'ada@corp.example',
  ...parts,
});

const responseOf = (of: SamlScene, parts: ResponseParts): string =>
  posted(signedResponse(of.idp, of.sp, parts));

const emailOf = async (browser: Browser): Promise<string> =>
  (await browser.client().get('/auth/me')).body.user?.email as string;

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
    const { path, owner } = scene.organization;
    const members = await owner.session.get(`${path}/members`);
    expect(members.body.items).toContainEqual(
      expect.objectContaining({
        email: 'ada@corp.example',
        role: 'member',
        source: 'sso',
        sso_groups: ['Engineers', 'Admins'],
        last_sso_at: server.clock.nowMs(),
        password_sign_in: false,
      }),
    );
    const logs = await owner.session.get(`${path}/audit_logs`);
    const rows = logs.body.items as { action: string }[];
    expect(rows.find(({ action }) => action === 'sso_sign_in')).toMatchObject({
      actor: { type: 'sso', id: scene.connection.id },
      target: { type: 'member', id: me.body.user.id },
      data: { email: 'ada@corp.example', account_created: true, joined: true },
    });
  });

  it('comes back to the same account, with the groups and the name of today', async () => {
    const { browser } = await signInBySaml(server, scene, {
      nameId: 'opaque',
      attributes: { mail: 'ada@corp.example', givenName: 'Ada', sn: 'King' },
    });
    const me = await browser.client().get('/auth/me');
    expect(me.body.user.name).toBe('Ada King');
    const { path, owner } = scene.organization;
    const { body } = await owner.session.get(`${path}/members`);
    expect(body.items).toContainEqual(expect.objectContaining({ email: 'ada@corp.example', sso_groups: [] }));
  });

  it('asks for an email address, at the address that the provider gave', async () => {
    const browser = new Browser(server);
    const answer = await browser.get(`/sso/start?email=${encodeURIComponent(' Ada@CORP.example')}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(new RegExp(`^${scene.idp.ssoUrl}\\?SAMLRequest=`));
    const xml = requestXmlOf(answer);
    expect(xml).toContain(`Destination="${scene.idp.ssoUrl}"`);
    expect(xml).toContain(`AssertionConsumerServiceURL="${scene.sp.acsUrl}"`);
    expect(xml).toContain(`<saml:Issuer>${scene.sp.spEntityId}</saml:Issuer>`);
    expect(xml).not.toContain('RequestedAuthnContext');
    const relayState = new URL(answer.headers.location ?? '').searchParams.get('RelayState') ?? '';
    expect(Buffer.byteLength(relayState)).toBeLessThanOrEqual(80);
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^rd_sso=[\w-]{43}; HttpOnly; Path=\/sso; Max-Age=600; SameSite=None; Secure$/);
  });

  it.each([boxyPeer, samlifyPeer].map((peer) => [peer.name, peer] as const))(
    'works with %s, from its metadata on',
    async (_name, peer) => {
      server.clock.advanceMs(Date.now() - server.clock.nowMs());
      const domain = `${peer.name.replace(/\W/g, '')}.example`;
      const of = await arrangeSaml(server, { domain, saml: { metadata_xml: peer.metadata() } });
      const browser = new Browser(server);
      const started = await browser.get(`/sso/connections/${of.connection.id}/start`);
      const person = { email: `Kim@${domain}`, name: 'Kim' };
      const response = await peer.answer(new URL(started.headers.location ?? ''), person, of.sp);
      const answer = await postResponse(browser, of, response);
      expect(await refusalsOf(of)).toEqual([]);
      expect(answer.headers.location).toBe('/');
      const { body } = await browser.client().get('/auth/me');
      expect(body.user).toMatchObject({ email: `kim@${domain}`, name: 'Kim' });
    },
  );

  it.each([
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/a\nb', '/'],
    ['projects', '/'],
    ['/projects/../x', '/x'],
  ])('continues from next=%j to %j', async (next, location) => {
    const { answer } = await signInBySaml(server, scene, { nameId: 'ada@corp.example', next });
    expect(answer.headers.location).toBe(location);
  });
});

describe('a SAML response over HTTP', () => {
  /** One of each kind; the unit tests have them all. */
  const tried = samlAttacks.filter(({ name }) =>
    /wrapping|at all|changed after|KeyInfo|another connection|SHA-1$|HMAC|broken by it|stranger in|encoded twice|a DOCTYPE|processing instruction$|failure with|both signed|encrypted|issuer$|destination$|recipient$|expired conditions|audience$|request on the subject/.test(
      name,
    ),
  );
  it.each(tried.map((attack) => [attack.name, attack.reason, attack] as const))(
    'fails with %s: %s',
    async (_name, reason, attack) => {
      const browser = new Browser(server);
      const inResponseTo = await startSaml(browser, scene);
      const response = attack.make({
        idp: scene.idp,
        otherIdp: other.idp,
        sp: scene.sp,
        nowMs: server.clock.nowMs(),
        inResponseTo,
      });
      const answer = await postResponse(browser, scene, response);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toMatch(/^\/login\?sso_error=/);
      expect(browser.cookie('rd_session')).toBeUndefined();
      expect(await lastReason()).toBe(reason);
    },
  );

  it('has at most 256 KiB', async () => {
    const answer = await postResponse(new Browser(server), scene, 'A'.repeat(256 * 1024));
    expect(answer.status).toBe(413);
  });

  it('counts without being read or audited if a stranger sends it', async () => {
    const rows = (await refusalsOf(scene)).length;
    const before = await refusalsCounted('browser');
    const response = responseOf(scene, partsOf('_never-asked'));
    for (const text of [response, 'nonsense']) {
      const answer = await postResponse(new Browser(server), scene, text);
      expect(messageOf(answer)).toContain('another browser');
    }
    expect(await refusalsCounted('browser')).toBe(before + 2);

    const open = await arrangeSaml(server, { domain: 'open.example', saml: { allow_idp_initiated: true } });
    const malformed = await refusalsCounted('malformed');
    await postResponse(new Browser(server), open, 'nonsense');
    expect(await refusalsCounted('malformed')).toBe(malformed + 1);
    await postResponse(new Browser(server), open, responseOf(scene, partsOf(null)));
    expect(await refusalsOf(open)).toEqual([]);
    // Only the identity provider can have signed this one.
    await postResponse(
      new Browser(server),
      open,
      responseOf(open, partsOf(null, { nameId: 'x@no.example' })),
    );
    expect(await refusalsOf(open)).toEqual(['domain']);
    expect(await refusalsOf(scene)).toHaveLength(rows);
  });

  it('leaves at most a hundred audit rows an hour, no matter who starts the sign-ins', async () => {
    const of = await arrangeSaml(server, { domain: 'noisy.example' });
    const browser = new Browser(server);
    await startSaml(browser, of);
    for (let sent = 0; sent < 104; sent++) {
      if (sent % 50 === 49) server.clock.advanceMs(60_000);
      await postResponse(browser, of, 'nonsense');
    }
    expect(await auditedRefusals(of)).toBe(100);
  });

  it('works once, no matter who presents it again and again', async () => {
    const browser = new Browser(server);
    const response = responseOf(scene, partsOf(await startSaml(browser, scene)));
    const answers = await Promise.all([1, 2, 3].map(() => postResponse(browser, scene, response)));
    expect(answers.map(messageOf).filter((message) => message === null)).toHaveLength(1);
    expect(await lastReason()).toBe('in_response_to');
  });

  it('fails if the assertion was accepted before, in the answer to another request', async () => {
    const browser = new Browser(server);
    const assertionId = '_the-same';
    const first = partsOf(await startSaml(browser, scene), { assertionId });
    expect(messageOf(await postResponse(browser, scene, responseOf(scene, first)))).toBeNull();
    const second = partsOf(await startSaml(browser, scene), { assertionId });
    expect(messageOf(await postResponse(browser, scene, responseOf(scene, second)))).not.toBeNull();
    expect(await lastReason()).toBe('replay');
  });

  it('belongs to the browser that began', async () => {
    const browser = new Browser(server);
    const response = responseOf(scene, partsOf(await startSaml(browser, scene)));
    const stranger = new Browser(server);
    expect(messageOf(await postResponse(stranger, scene, response))).toContain('another browser');
    await startSaml(stranger, scene);
    await postResponse(stranger, scene, response);
    expect(await refusalsOf(scene)).toEqual(expect.arrayContaining(['browser']));
    // The refusals have not used it up.
    expect(messageOf(await postResponse(browser, scene, response))).toBeNull();
  });

  it('comes within ten minutes, also from a second tab', async () => {
    const browser = new Browser(server);
    const first = await startSaml(browser, scene, '/first');
    const second = await startSaml(browser, scene, '/second');
    server.clock.advanceMs(599_999);
    const answer = await postResponse(browser, scene, responseOf(scene, partsOf(first)));
    expect(answer.headers.location).toBe('/first');
    server.clock.advanceMs(1);
    const late = await postResponse(browser, scene, responseOf(scene, partsOf(second)));
    expect(messageOf(late)).toContain('it has expired');
  });

  it('belongs to the connection that it is posted to', async () => {
    const browser = new Browser(server);
    const inResponseTo = await startSaml(browser, other);
    await startSaml(browser, scene);
    // Made for the first connection by its own provider, in answer to a request of the second one.
    await postResponse(browser, scene, responseOf(scene, partsOf(inResponseTo)));
    expect(await lastReason()).toBe('in_response_to');
    server.clock.advanceMs(1);
    const elsewhere = responseOf(other, partsOf(inResponseTo, { nameId: 'ada@other.example' }));
    await postResponse(browser, scene, elsewhere);
    expect(await lastReason()).toBe('signature');
  });

  it('fails for the domain of another organization, or an unverified one', async () => {
    for (const nameId of ['ada@other.example', 'ada@nobody.example', 'ada@sub.corp.example']) {
      const { answer } = await signInBySaml(server, scene, { nameId });
      expect(messageOf(answer)).toContain('verified domain');
      expect(await lastReason()).toBe('domain');
      server.clock.advanceMs(1);
    }
    for (const parts of [
      { nameId: 'ada' },
      { attributes: { email: ['ada@corp.example', 'eve@corp.example'] } },
      { nameId: 'ada@corp.example', attributes: { email: 'none' } },
    ]) {
      await signInBySaml(server, scene, parts);
      expect(await lastReason()).toBe('email');
      server.clock.advanceMs(1);
    }
  });

  it('begins at the provider only where that is allowed', async () => {
    const unasked = { nameId: 'ada@corp.example', inResponseTo: null };
    const response = (): string => responseOf(scene, partsOf(null, unasked));
    const starter = new Browser(server);
    await startSaml(starter, scene);
    await postResponse(starter, scene, response());
    expect(await lastReason()).toBe('idp_initiated');
    const { session } = scene.organization.owner;
    await session.post(scene.connection.path, { saml: { allow_idp_initiated: true } });
    const browser = new Browser(server);
    const accepted = response();
    const answer = await postResponse(browser, scene, accepted, '/projects');
    expect(answer.headers.location).toBe('/projects');
    expect(await emailOf(browser)).toBe('ada@corp.example');
    server.clock.advanceMs(1);
    await postResponse(new Browser(server), scene, accepted);
    expect(await lastReason()).toBe('replay');
    const evil = await postResponse(browser, scene, response(), 'https://evil.example');
    expect(evil.headers.location).toBe('/');
    await session.post(scene.connection.path, { saml: { allow_idp_initiated: false } });
  });

  it('fails while the connection is turned off, and without a connection', async () => {
    const browser = new Browser(server);
    const response = responseOf(scene, partsOf(await startSaml(browser, scene)));
    const { session } = scene.organization.owner;
    await session.post(scene.connection.path, { enabled: false });
    expect(messageOf(await postResponse(browser, scene, response))).toContain('turned off');
    expect(await lastReason()).toBe('connection_disabled');
    const lookedUp = await server.http.post('/sso/lookup', { email: 'ada@corp.example' });
    expect(lookedUp.body).toEqual({ sso: false, url: null });
    const started = await browser.get('/sso/start?email=ada@corp.example');
    expect(messageOf(started)).toContain('not set up');
    await session.post(scene.connection.path, { enabled: true });
    const unknown = await browser.postForm('/sso/saml/ssoc_unknown/acs', { SAMLResponse: response });
    expect(messageOf(unknown)).toContain('not set up');
    const empty = await browser.postForm(`/sso/saml/${scene.connection.id}/acs`, {});
    expect(messageOf(empty)).not.toBeNull();
  });
});

describe('the account behind a sign-in', () => {
  it('keeps its password and projects, found by its address', async () => {
    const person = await signUp(server, { email: 'old@corp.example' });
    const { browser } = await signInBySaml(server, scene, { nameId: 'OLD@corp.example' });
    const { body } = await browser.client().get('/auth/me');
    expect(body.user).toMatchObject({ email: person.email, has_password: true });
    expect(body.projects).toEqual([expect.objectContaining({ id: person.projectId })]);
  });

  it('ends for a person who had created it in the name of another', async () => {
    const squatter = await signUp(server, { email: 'squatted@corp.example' });
    await server.dataSource.query(`UPDATE users SET email_verified = false WHERE email = $1`, [
      squatter.email,
    ]);
    const path = `/v2/projects/${squatter.projectId}`;
    const { client } = await letClientIn(server, squatter);
    expect((await client.get(path)).status).toBe(200);
    await enableTwoFactor(server, squatter);
    const loginToken = await startSignIn(server, squatter);
    const openLinks = (): Promise<unknown[]> =>
      server.dataSource.query(
        `SELECT 1 FROM account_links l JOIN users u ON u.id = l.user_id WHERE u.email = $1 AND l.ended_at IS NULL`,
        [squatter.email],
      );
    await server.dataSource.query(
      `INSERT INTO account_links (token_hash, user_id, purpose, email, created_at, expires_at)
       SELECT 'x'::bytea, id, 'change_email', $2, now(), now() + interval '1 day' FROM users WHERE email = $1`,
      [squatter.email, 'theirs@elsewhere.example'],
    );
    expect(await openLinks()).toHaveLength(1);

    const { browser } = await signInBySaml(server, scene, { nameId: squatter.email });
    expect(await emailOf(browser)).toBe(squatter.email);
    expect((await squatter.session.get('/auth/me')).status).toBe(401);
    expect((await client.get(path)).status).toBe(401);
    expect(await openLinks()).toEqual([]);
    const second = await server.http.post('/auth/login/2fa', { login_token: loginToken, code: '000000' });
    expect([second.status, second.body.param]).toEqual([401, 'login_token']);
    expect((await browser.client().get('/auth/me')).body.user).toMatchObject({
      has_password: false,
      has_mfa: false,
    });
    const { body: log } = await browser.client().get(`${path}/audit_logs`);
    expect(log.items).toContainEqual(
      expect.objectContaining({
        action_type: 'oauth_grant_revoked',
        additional_data: { reason: 'email_confirmed' },
      }),
    );
    const login = await server.http.post('/auth/login', { email: squatter.email, password: PASSWORD });
    expect(login.status).toBe(401);
  });

  it('exists as a member already, where accounts are not created at sign-in', async () => {
    const of = await arrangeSaml(server, { domain: 'closed.example', jit: false });
    const attempt = async (): Promise<Answer> =>
      (await signInBySaml(server, of, { nameId: 'kim@closed.example' })).answer;
    expect(messageOf(await attempt())).toContain('not a member');
    expect(await lastReason(of)).toBe('no_account');
    server.clock.advanceMs(1);
    const person = await signUp(server, { email: 'kim@closed.example' });
    expect(messageOf(await attempt())).toContain('not a member');
    expect(await lastReason(of)).toBe('not_a_member');
    await addOrganizationMember(server, of.organization, 'member', { person });
    expect(messageOf(await attempt())).toBeNull();
  });

  it('does not help people whom the organization has deactivated', async () => {
    const email = 'gone@corp.example';
    await signInBySaml(server, scene, { nameId: email });
    await server.dataSource.query(`UPDATE organization_members SET active = false WHERE user_id = $1`, [
      await userIdOf(server, email),
    ]);
    const { answer } = await signInBySaml(server, scene, { nameId: email });
    expect(messageOf(answer)).toContain('removed');
    expect(await lastReason()).toBe('member_inactive');
  });

  it('stays uncreated for people whom provisioning describes as not active', async () => {
    const email = 'idle@corp.example';
    await server.dataSource.query(
      `INSERT INTO scim_users (org_id, id, user_name, active, email, resource, version, created_at, updated_at)
       VALUES ($1, 'scu_idle', $2, false, $2, '{}', 1, now(), now())`,
      [scene.organization.id, email],
    );
    const { answer } = await signInBySaml(server, scene, { nameId: email });
    expect(messageOf(answer)).toContain('removed');
    expect(await lastReason()).toBe('member_inactive');
    await expect(userIdOf(server, email)).rejects.toThrow('no user');
  });

  it('gets no code asked for', async () => {
    const email = 'two@corp.example';
    await signUp(server, { email });
    await server.dataSource.query(`UPDATE users SET two_factor_enabled_at = now() WHERE email = $1`, [email]);
    const { browser } = await signInBySaml(server, scene, { nameId: email });
    expect(await emailOf(browser)).toBe(email);
  });

  it('loses its sessions of this connection when it is deleted', async () => {
    const of = await arrangeSaml(server, { domain: 'short.example' });
    const { browser } = await signInBySaml(server, of, { nameId: 'kim@short.example' });
    const { browser: elsewhere } = await signInBySaml(server, scene, { nameId: 'ada@corp.example' });
    const { status, body } = await of.organization.owner.session.delete(of.connection.path);
    expect([status, body.object]).toEqual([200, 'sso_connection']);
    expect((await browser.client().get('/auth/me')).status).toBe(401);
    expect(await emailOf(elsewhere)).toBe('ada@corp.example');
  });
});

describe('enforced single sign-on', () => {
  let of: SamlScene;

  beforeAll(async () => {
    of = await arrangeSaml(server, { domain: 'strict.example' });
    await addOrganizationProject(server, of.organization, of.organization.owner.projectId);
  });

  it('needs a connection and a domain', async () => {
    const empty = await createOrganization(server);
    const enforce = (): Promise<Answer> => empty.owner.session.post(empty.path, { sso_enforced: true });
    expect((await enforce()).status).toBe(422);
    await verifyDomain(server, empty, 'lonely.example');
    expect((await enforce()).status).toBe(422);
    const { status } = await of.organization.owner.session.post(of.organization.path, { sso_enforced: true });
    expect(status).toBe(200);
  });

  it('refuses passwords on the domain, whatever they are, and says where to go', async () => {
    for (const email of ['kim@strict.example', 'KIM@Strict.Example']) {
      const { status, body } = await server.http.post('/auth/login', { email, password: PASSWORD });
      expect(status).toBe(403);
      expect(body).toMatchObject({
        type: 'sso_required',
        sso_url: '/sso/start?email=kim%40strict.example',
        message: '"Acme" requires single sign-on (SSO) for addresses at strict.example.',
      });
    }
    const signedUp = await server.http.post('/auth/signup', {
      email: 'new@strict.example',
      password: PASSWORD,
    });
    expect([signedUp.status, signedUp.body.type]).toEqual([403, 'sso_required']);
    const withBadInvite = await server.http.post('/auth/signup', {
      email: 'new@strict.example',
      password: PASSWORD,
      invite_token: 'unknown',
    });
    expect([withBadInvite.status, withBadInvite.body.type]).toEqual([400, 'invite_invalid']);
    const free = await server.http.post('/auth/login', { email: 'kim@free.example', password: PASSWORD });
    expect(free.status).toBe(401);
  });

  it('wants a session of this organization on its routes, except of owners', async () => {
    await enforceSso(server, of.organization, false);
    const person = await signUp(server, { email: 'lee@strict.example' });
    await addOrganizationMember(server, of.organization, 'admin', { person });
    const project = `/v2/projects/${of.organization.owner.projectId}`;
    expect((await person.session.get(project)).status).toBe(200);
    await enforceSso(server, of.organization);
    for (const path of [project, of.organization.path]) {
      const { status, body } = await person.session.get(path);
      expect([status, body.type]).toEqual([403, 'authorization_error']);
    }
    const { browser } = await signInBySaml(server, of, { nameId: person.email });
    for (const path of [project, of.organization.path]) {
      expect((await browser.client().get(path)).status).toBe(200);
    }
    expect((await of.organization.owner.session.get(project)).status).toBe(200);
  });

  it('keeps its last connection and its last domain', async () => {
    const { session } = of.organization.owner;
    const off = await session.post(of.connection.path, { enabled: false });
    const gone = await session.delete(of.connection.path);
    const domain = await session.delete(`${of.organization.path}/sso/domains/strict.example`);
    expect([off.status, gone.status, domain.status]).toEqual([422, 422, 422]);
    await verifyDomain(server, of.organization, 'strict2.example');
    const first = await session.delete(`${of.organization.path}/sso/domains/strict.example`);
    expect(first.body).toMatchObject({ object: 'sso_domain', id: 'strict.example' });
  });
});

describe('without a credential', () => {
  it('reports the sign-in method by the domain alone', async () => {
    const { body, headers } = await server.http.post('/sso/lookup', {
      email: 'Nobody@corp.example',
      next: '/projects',
    });
    expect(body).toEqual({
      sso: true,
      url: '/sso/start?email=nobody%40corp.example&next=%2Fprojects',
    });
    expect(headers['cache-control']).toBe('no-store');
    expect((await server.http.post('/sso/lookup', { email: 'a@gmail.com' })).body.sso).toBe(false);
    const bad = await server.http.post('/sso/lookup', { email: 'corp.example' });
    expect([bad.status, bad.body.param]).toEqual([400, 'email']);
  });

  it('gives metadata of SAML connections, also of those that are off', async () => {
    const { session } = other.organization.owner;
    await session.post(other.connection.path, { enabled: false });
    const path = new URL(other.sp.spEntityId).pathname;
    const answer = await server.http.get(path);
    expect(answer.headers['content-type']).toContain('application/samlmetadata+xml');
    expect(String(answer.text || answer.body)).toContain(`Location="${other.sp.acsUrl}"`);
    await session.post(other.connection.path, { enabled: true });
    expect((await server.http.get('/sso/saml/ssoc_unknown/metadata')).status).toBe(404);
  });

  it('limits by the address it comes from', async () => {
    const browser = new Browser(server);
    const starts = await Promise.all(
      Array.from({ length: 31 }, () => browser.get('/sso/start?email=ada@corp.example')),
    );
    expect(starts.filter((answer) => messageOf(answer)?.startsWith('Too many'))).toHaveLength(1);
    const lookups = await Promise.all(
      Array.from({ length: 31 }, () => server.http.post('/sso/lookup', { email: 'ada@corp.example' })),
    );
    expect(lookups.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
