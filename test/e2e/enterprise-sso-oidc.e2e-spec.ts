import { ManualClock } from '../../libs/kernel/index.js';
import {
  createOrganization,
  startEnterpriseServer,
  type TestOrganization,
  verifyDomain,
} from '../support/arrange-enterprise.js';
import { Browser, refusalsOf } from '../support/arrange-sso.js';
import type { Answer } from '../support/api-client.js';
import { followAtProvider, LooseProvider, StrictProvider } from '../support/oidc-peers.js';
import type { TestServer } from '../support/test-server.js';

const PUBLIC_URL = 'https://tenure.example';
const DOMAIN = 'oidc.example';
let server: TestServer;
let strict: StrictProvider;
let loose: LooseProvider;
let organization: TestOrganization;
/** At the loose provider. */
let connectionId: string;

async function connect(
  oidc: Record<string, unknown>,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const body = { kind: 'oidc', name: 'Provider', enabled: true, oidc, ...changes };
  const answer = await organization.owner.session.post(`${organization.path}/sso/connections`, body);
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

beforeAll(async () => {
  // The strict provider lives in the time of the machine.
  const clock = new ManualClock(Date.now());
  server = await startEnterpriseServer({ clock, env: { SERVICE_PUBLIC_URL: PUBLIC_URL } });
  [strict, loose] = await Promise.all([StrictProvider.start(), LooseProvider.start(clock)]);
  organization = await createOrganization(server);
  await verifyDomain(server, organization, DOMAIN);
  connectionId = await connect({
    issuer: loose.issuer,
    client_id: 'tenure',
    client_secret: 'secret of the client',
    groups_claim: 'groups',
  });
});

afterEach(() => {
  loose.reset();
  // Each test comes from the same address; the limits have tests of their own.
  server.clock.advanceMs(60_000);
});

afterAll(async () => {
  await server.close();
  await Promise.all([strict.stop(), loose.stop()]);
});

const begin = (browser: Browser, id = connectionId, next = '/'): Promise<Answer> =>
  browser.get(`/sso/connections/${id}/start?next=${encodeURIComponent(next)}`);

const callbackOf = ({ headers }: Answer): Promise<URL> =>
  followAtProvider(headers.location ?? '', loose.issuer);

/** A sign-in as this person; what comes back may be changed on the way. */
async function signIn(
  claims: Record<string, unknown>,
  { browser = new Browser(server), callback = (url: URL) => url.href } = {},
): Promise<Answer> {
  const { token } = loose;
  loose.token = (payload, header) => {
    token(payload, header);
    Object.assign(payload, claims);
  };
  const url = await callbackOf(await begin(browser));
  const changed = new URL(callback(url));
  return browser.get(changed.pathname + changed.search);
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const messageOf = ({ headers }: Answer): string | null =>
  new URL(headers.location ?? '', PUBLIC_URL).searchParams.get('sso_error');

const lastReason = async (): Promise<string | undefined> => (await refusalsOf({ organization }))[0];

describe('sign-in by OpenID Connect', () => {
  it('works with a certified provider, with PKCE, a nonce and a secret', async () => {
    const id = await connect({
      issuer: strict.issuer,
      client_id: 'dashboard',
      client_secret: 'secret of the dashboard',
      scopes: 'email profile groups',
      groups_claim: 'groups',
    });
    const redirectUri = `${PUBLIC_URL}/sso/oidc/${id}/callback`;
    strict.register({ clientId: 'dashboard', clientSecret: 'secret of the dashboard', redirectUri });
    strict.claims = {
      email: `Grace@${DOMAIN}`,
      email_verified: true,
      name: 'Grace Hopper',
      groups: ['Navy', 'Compilers'],
    };
    const browser = new Browser(server);
    const started = await begin(browser, id, '/projects');
    expect(started.status).toBe(303);
    const asked = new URL(started.headers.location ?? '');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile groups',
      redirect_uri: redirectUri,
    });
    const [cookie] = started.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^rd_sso=[\w-]{43}; HttpOnly; Path=\/sso; Max-Age=600; SameSite=None; Secure$/);

    const callback = await followAtProvider(asked.href, strict.issuer);
    const answer = await browser.get(callback.pathname + callback.search);
    expect(answer.headers.location).toBe('/projects');
    const me = await browser.client().get('/auth/me');
    expect(me.body.user).toMatchObject({ email: `grace@${DOMAIN}`, name: 'Grace Hopper' });
    const { body } = await organization.owner.session.get(`${organization.path}/members`);
    expect(body.items).toContainEqual(
      expect.objectContaining({ email: `grace@${DOMAIN}`, source: 'sso', sso_groups: ['Navy', 'Compilers'] }),
    );

    // The code of one browser in the sign-in of another one: the provider knows it by the challenge.
    const victim = new Browser(server);
    const attacker = new Browser(server);
    const stolen = await followAtProvider((await begin(attacker, id)).headers.location ?? '', strict.issuer);
    const own = await followAtProvider((await begin(victim, id)).headers.location ?? '', strict.issuer);
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(messageOf(await victim.get(own.pathname + own.search))).toContain('did not complete');
    expect(await lastReason()).toBe('idp_error');
  });

  it('sends the secret in the form to a provider that takes it there only', async () => {
    const post = await StrictProvider.start();
    try {
      const known = { clientId: 'in-form', clientSecret: 'secret of the form' };
      const id = await connect({
        issuer: post.issuer,
        client_id: known.clientId,
        client_secret: known.clientSecret,
      });
      const redirectUri = `${PUBLIC_URL}/sso/oidc/${id}/callback`;
      post.register({ ...known, redirectUri, authMethod: 'client_secret_post' });
      post.claims = { email: `form@${DOMAIN}` };
      const browser = new Browser(server);
      const signIn = async (): Promise<Answer> => {
        const started = await begin(browser, id);
        const callback = await followAtProvider(started.headers.location ?? '', post.issuer);
        return browser.get(callback.pathname + callback.search);
      };
      expect(messageOf(await signIn())).toBeNull();
      expect((await browser.client().get('/auth/me')).body.user.email).toBe(`form@${DOMAIN}`);
      await organization.owner.session.post(`${organization.path}/sso/connections/${id}`, {
        oidc: { client_secret: 'another secret' },
      });
      expect(messageOf(await signIn())).not.toBeNull();
    } finally {
      await post.stop();
    }
  });

  it('sends the secret as the provider wants it, and the verifier of the challenge', async () => {
    const answer = await signIn({ email: `ada@${DOMAIN}` });
    expect(answer.headers.location).toBe('/');
    const [redeemed] = loose.redeemed;
    expect(redeemed?.form).toMatchObject({
      grant_type: 'authorization_code',
      redirect_uri: `${PUBLIC_URL}/sso/oidc/${connectionId}/callback`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('reads the name, and groups only from the claim that is set', async () => {
    const browser = new Browser(server);
    await signIn(
      {
        email: `alan@${DOMAIN}`,
        given_name: 'Alan',
        family_name: 'Turing',
        groups: ['a', 'a', 7, ''],
        roles: ['b'],
      },
      { browser },
    );
    expect((await browser.client().get('/auth/me')).body.user.name).toBe('Alan Turing');
    const { body } = await organization.owner.session.get(`${organization.path}/members?limit=100`);
    expect(body.items).toContainEqual(
      expect.objectContaining({ email: `alan@${DOMAIN}`, sso_groups: ['a'] }),
    );
  });

  it('sends the secret in the header, and none without a secret', async () => {
    const { path } = organization;
    const changed = await organization.owner.session.post(`${path}/sso/connections/${connectionId}`, {
      oidc: { client_secret: null },
    });
    expect(changed.body.oidc.has_client_secret).toBe(false);
    await signIn({ email: `ada@${DOMAIN}` });
    expect(loose.redeemed[0]).toMatchObject({ authorization: undefined, form: { client_id: 'tenure' } });
    expect(loose.redeemed[0]?.form).not.toHaveProperty('client_secret');
    await organization.owner.session.post(`${path}/sso/connections/${connectionId}`, {
      oidc: { client_secret: 'secret of the client' },
    });
    loose.redeemed.length = 0;
    await signIn({ email: `ada@${DOMAIN}` });
    const basic = Buffer.from('tenure:secret+of+the+client').toString('base64');
    expect(loose.redeemed[0]?.authorization).toBe(`Basic ${basic}`);
  });

  const nowS = (): number => Math.floor(server.clock.nowMs() / 1000);
  const token: [name: string, reason: string, change: () => Record<string, unknown>][] = [
    ['another issuer', 'issuer', () => ({ iss: 'https://evil.example' })],
    ['another audience', 'audience', () => ({ aud: 'another-client' })],
    ['another party among several audiences', 'audience', () => ({ aud: ['tenure', 'x'], azp: 'x' })],
    ['several audiences and no party', 'audience', () => ({ aud: ['tenure', 'x'] })],
    ['another party beside one audience', 'audience', () => ({ aud: 'tenure', azp: 'x' })],
    ['an end a minute ago', 'expired', () => ({ exp: nowS() - 61 })],
    ['a start in two minutes', 'not_yet_valid', () => ({ nbf: nowS() + 120 })],
    ['a time of issue in two minutes', 'not_yet_valid', () => ({ iat: nowS() + 120 })],
    ['another nonce', 'nonce', () => ({ nonce: 'of another sign-in' })],
    ['no nonce', 'nonce', () => ({ nonce: undefined })],
    ['no address', 'email', () => ({ email: undefined })],
    ['an address that is none', 'email', () => ({ email: 'ada' })],
    ['an address that is a list', 'email', () => ({ email: [`ada@${DOMAIN}`] })],
    ['two addresses in one', 'email', () => ({ email: `ada@${DOMAIN},eve@evil.example` })],
    ['an address that is not verified', 'email_unverified', () => ({ email_verified: false })],
    ['an address that is not verified, in words', 'email_unverified', () => ({ email_verified: 'false' })],
    ['an unknown domain', 'domain', () => ({ email: 'ada@elsewhere.example' })],
    ['a subdomain of the domain', 'domain', () => ({ email: `ada@mail.${DOMAIN}` })],
    ['a domain that ends alike', 'domain', () => ({ email: `ada@x${DOMAIN}` })],
  ];
  it.each(token)('refuses a token with %s: %s', async (_name, reason, change) => {
    const browser = new Browser(server);
    const answer = await signIn({ email: `ada@${DOMAIN}`, ...change() }, { browser });
    expect(messageOf(answer)).not.toBeNull();
    expect(await lastReason()).toBe(reason);
    expect(browser.cookie('rd_session')).toBeUndefined();
  });

  it('refuses tokens that the provider did not sign', async () => {
    const forge = (change: (parts: string[]) => string[]): void => {
      loose.response = (answer) => {
        const body = answer.body as { id_token: string };
        body.id_token = change(body.id_token.split('.')).join('.');
      };
    };
    const claims = { email: `ada@${DOMAIN}` };

    forge(([header = '', payload = '', signature = '']) => {
      const changed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
      return [header, encoded({ ...changed, email: `eve@${DOMAIN}` }), signature];
    });
    await signIn(claims);
    expect(await lastReason()).toBe('signature');
    server.clock.advanceMs(60_000);

    forge(([, payload = '']) => [encoded({ alg: 'none' }), payload, '']);
    await signIn(claims);
    expect(await lastReason()).toBe('signature');
    server.clock.advanceMs(60_000);

    forge(([, payload = '', signature = '']) => [encoded({ alg: 'HS256' }), payload, signature]);
    await signIn(claims);
    expect(await lastReason()).toBe('signature');
    server.clock.advanceMs(60_000);

    loose.response = (answer) => delete (answer.body as { id_token?: string }).id_token;
    await signIn(claims);
    expect(await lastReason()).toBe('token_answer');
  });

  it('accepts nulls in the token answer', async () => {
    loose.response = ({ body }) => {
      const nulls = { refresh_token: null, scope: null, expires_in: null, token_type: null };
      Object.assign(body as object, nulls, { access_token: null });
    };
    const answer = await signIn({ email: `ada@${DOMAIN}` });
    expect(messageOf(answer)).toBeNull();
    expect(loose.asked).toEqual([]);
    server.clock.advanceMs(1000);
    loose.response = ({ body }) => Object.assign(body as object, { id_token: null });
    await signIn({ email: `ada@${DOMAIN}` });
    expect(await lastReason()).toBe('token_answer');
  });

  const groupsOf = async (email: string): Promise<string[] | undefined> => {
    const { body } = await organization.owner.session.get(`${organization.path}/members?limit=100`);
    const members = body.items as { email: string; sso_groups: string[] }[];
    return members.find((member) => member.email === email)?.sso_groups;
  };
  const auditedLast = async (): Promise<Record<string, unknown>> => {
    const { body } = await organization.owner.session.get(`${organization.path}/audit_logs?limit=1`);
    return (body.items as { data: Record<string, unknown> }[])[0]?.data ?? {};
  };

  it('asks userinfo only for what the ID token lacks', async () => {
    const email = `ida@${DOMAIN}`;
    loose.userinfo = ({ body }) => Object.assign(body as object, { email, groups: ['b'], name: 'Ida' });
    await signIn({ email: `kim@${DOMAIN}`, groups: ['a'] });
    expect(loose.asked).toEqual([]);
    const browser = new Browser(server);
    await signIn({ email: null, groups: null }, { browser });
    expect((await browser.client().get('/auth/me')).body.user).toMatchObject({ email, name: 'Ida' });
    expect(await groupsOf(email)).toEqual(['b']);
    expect(loose.asked).toEqual([expect.stringMatching(/^Bearer \S+$/)]);
    await signIn({ email: `kim@${DOMAIN}` });
    expect([await groupsOf(`kim@${DOMAIN}`), loose.asked.length]).toEqual([['b'], 2]);
  });

  it.each([
    ['is about another person', 'userinfo_sub', { email: undefined }, { sub: 'x', email: `x@${DOMAIN}` }],
    ['names no person', 'userinfo_sub', { email: undefined }, { sub: undefined, email: `x@${DOMAIN}` }],
    [
      'has an unverified address',
      'email_unverified',
      { email: '' },
      { email: `x@${DOMAIN}`, email_verified: 0 },
    ],
    ['has no address', 'email', { email: undefined }, {}],
    ['has groups that are a number', 'groups_claim', { email: `x@${DOMAIN}` }, { groups: 7 }],
  ])('refuses if userinfo %s: %s', async (_name, reason, claims, said) => {
    loose.userinfo = (answer) => (answer.body = { ...(answer.body as object), ...said });
    const answer = await signIn(claims);
    expect(await lastReason()).toBe(reason);
    if (reason !== 'email') return;
    expect(messageOf(answer)).toContain('The claim "email" was looked for');
    expect((await auditedLast()).claims).toEqual(expect.arrayContaining(['aud', 'iss', 'sub']));
  });

  const signedClaims = async (claims: Record<string, unknown>): Promise<string> => {
    let subject = '';
    loose.userinfo = ({ body }) => (subject = String((body as { sub: string }).sub));
    await signIn({ email: undefined });
    server.clock.advanceMs(1000);
    return loose.signed({ sub: subject, iss: loose.issuer, aud: 'tenure', ...claims });
  };

  it('reads userinfo that the provider signed', async () => {
    const email = `jwt@${DOMAIN}`;
    const signed = await signedClaims({ email });
    loose.userinfo = (answer) => (answer.body = signed);
    const browser = new Browser(server);
    expect(messageOf(await signIn({ email: undefined }, { browser }))).toBeNull();
    expect((await browser.client().get('/auth/me')).body.user.email).toBe(email);
  });

  it.each<[string, Record<string, unknown>, (jwt: string[]) => string[]]>([
    ['was changed', {}, ([head = '', , tail = '']) => [head, encoded({ sub: 'x' }), tail]],
    ['is not signed', {}, ([, claims = '']) => [encoded({ alg: 'none' }), claims, '']],
    ['is for another client', { aud: 'other' }, (jwt) => jwt],
    ['is of another issuer', { iss: 'https://other.example' }, (jwt) => jwt],
  ])('refuses if userinfo as a JWT %s', async (_, claims, change) => {
    const signed = change((await signedClaims({ email: `jwt@${DOMAIN}`, ...claims })).split('.')).join('.');
    loose.userinfo = (answer) => (answer.body = signed);
    await signIn({ email: undefined });
    expect(await lastReason()).toBe('userinfo_failed');
  });

  it('refuses if userinfo fails, even if only groups are missing', async () => {
    loose.userinfo = (answer) => (answer.statusCode = 500);
    const answer = await signIn({ email: `ada@${DOMAIN}` });
    expect(messageOf(answer)).toBe('The identity provider did not answer. Try again.');
    expect(await lastReason()).toBe('userinfo_failed');
  });

  it.each([
    ['one text', { groups: 'a' }, {}, ['a'], undefined],
    ['an object', { groups: { a: {}, b: {} } }, {}, ['a', 'b'], undefined],
    ['another person', {}, { sub: 'x', groups: ['x'] }, [], 'userinfo_sub'],
    ['a reference', { _claim_names: { groups: 'src1' } }, {}, [], 'groups_overage'],
    ['a hint', { hasgroups: true }, {}, [], 'groups_overage'],
    ['nothing', {}, {}, [], undefined],
  ])('reads groups from %s', async (_name, claims, said, groups, note) => {
    loose.userinfo = ({ body }) => Object.assign(body as object, said);
    await signIn({ email: `lin@${DOMAIN}`, ...claims });
    expect([await groupsOf(`lin@${DOMAIN}`), (await auditedLast()).note]).toEqual([groups, note]);
  });

  it('reads the address from the claim that is set, of the same person each time', async () => {
    const { owner, path } = organization;
    const connection = `${path}/sso/connections/${connectionId}`;
    const changed = await owner.session.post(connection, { oidc: { email_claim: 'upn' } });
    expect(changed.body.oidc.email_claim).toBe('upn');
    const email = `upn@${DOMAIN}`;
    const person = { upn: email, email: `not-this@${DOMAIN}`, email_verified: false, groups: [] };
    expect(messageOf(await signIn(person))).toBeNull();
    server.clock.advanceMs(1000);
    expect(messageOf(await signIn({ ...person, sub: 'somebody-else' }))).not.toBeNull();
    expect(await lastReason()).toBe('subject');
    server.clock.advanceMs(1000);
    expect(messageOf(await signIn({ ...person, upn: 7 }))).toContain('The claim "upn" was looked for');
    const { body } = await owner.session.get(`${path}/members?limit=100`);
    const member = (body.items as { email: string; user_id: string }[]).find((one) => one.email === email);
    await owner.session.delete(`${path}/members/${member?.user_id}`);
    server.clock.advanceMs(60_000);
    expect(messageOf(await signIn({ ...person, sub: 'somebody-else' }))).toBeNull();
    await owner.session.post(connection, { oidc: { email_claim: null } });
  });

  it('belongs to one browser, is finished once, and within ten minutes', async () => {
    const claims = { email: `ada@${DOMAIN}` };
    loose.token = (payload) => Object.assign(payload, claims);
    const browser = new Browser(server);
    const callback = await callbackOf(await begin(browser));
    const path = callback.pathname + callback.search;

    const other = new Browser(server);
    await begin(other);
    expect(messageOf(await other.get(path))).toContain('another browser');
    expect(await lastReason()).toBe('browser');
    server.clock.advanceMs(1000);

    expect((await browser.get(path)).headers.location).toBe('/');
    expect(messageOf(await browser.get(path))).toContain('expired');
    expect(await lastReason()).toBe('state');
    server.clock.advanceMs(1000);

    const late = await callbackOf(await begin(browser));
    server.clock.advanceMs(600_000);
    expect(messageOf(await browser.get(late.pathname + late.search))).toContain('expired');
    expect(await lastReason()).toBe('state');
  });

  it.each([
    ['no state', 'state', (url: URL) => url.searchParams.delete('state')],
    ['two states', 'state', (url: URL) => url.searchParams.append('state', 'x')],
    ['another state', 'state', (url: URL) => url.searchParams.set('state', 'x')],
    [
      'another provider (mix-up)',
      'issuer',
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    ],
    ['a code that was never issued', 'idp_error', (url: URL) => url.searchParams.set('code', 'x')],
    [
      'an error of the provider',
      'idp_error',
      (url: URL) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'access_denied');
        url.searchParams.set('error_description', '<script>alert(1)</script>');
      },
    ],
  ])('refuses a callback with %s: %s', async (_name, reason, change) => {
    const answer = await signIn(
      { email: `ada@${DOMAIN}` },
      {
        callback: (url) => {
          change(url);
          return url.href;
        },
      },
    );
    expect(answer.headers.location).toMatch(/^\/login\?sso_error=/);
    expect(answer.headers.location).not.toContain('script');
    expect(await lastReason()).toBe(reason);
  });

  it('does not take an answer to one connection at another one', async () => {
    const second = await connect({ issuer: loose.issuer, client_id: 'tenure' });
    const answer = await signIn(
      { email: `ada@${DOMAIN}` },
      { callback: (url) => url.href.replace(connectionId, second) },
    );
    expect(messageOf(answer)).toContain('expired');
    expect(await lastReason()).toBe('state');
  });

  it('says so if the provider cannot be reached, or is another one', async () => {
    const gone = await connect({ issuer: 'http://127.0.0.1:9', client_id: 'x' });
    expect(messageOf(await begin(new Browser(server), gone))).toContain('failed');
    expect(await lastReason()).toBe('idp_unreachable');
    server.clock.advanceMs(1000);
    const slash = await connect({ issuer: `${loose.issuer}/`, client_id: 'x' });
    await begin(new Browser(server), slash);
    expect(await lastReason()).toBe('issuer');
  });

  it('keeps verifiers and secrets sealed, and out of the audit log', async () => {
    await begin(new Browser(server));
    const [row] = await server.dataSource.query<{ text: string }[]>(
      `SELECT (SELECT string_agg(c::text, '') FROM sso_connections c)
         || (SELECT string_agg(s::text, '') FROM sso_login_states s)
         || (SELECT string_agg(a::text, '') FROM organization_audit_logs a) AS text`,
    );
    expect(row?.text).not.toContain('secret of the client');
    const [state] = await server.dataSource.query<{ sealed: string }[]>(
      'SELECT sealed_verifier AS sealed FROM sso_login_states ORDER BY created_at DESC LIMIT 1',
    );
    expect(state?.sealed).toMatch(/^v1\./);
  });
});
