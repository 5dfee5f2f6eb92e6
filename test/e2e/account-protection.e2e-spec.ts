import { jest } from '@jest/globals';
import { ForgottenPasswordsService } from '../../src/workspace/accounts/passwords/forgotten-passwords.service.js';
import { PasswordHasherService } from '../../src/workspace/accounts/passwords/password-hasher.service.js';
import type { ApiClient } from '../support/api-client.js';
import { PASSWORD, sessionCookie, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the protection of accounts', () => {
  let server: TestServer;
  let person: SignedUp;
  let hashes: number;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
    person = await signUp(server);
    const hasher = server.app.get(PasswordHasherService, { strict: false });
    const hash = hasher.hash.bind(hasher);
    const verify = hasher.verify.bind(hasher);
    hasher.hash = (password) => (hashes++, hash(password));
    hasher.verify = (stored, password) => (hashes++, verify(stored, password));
  });

  afterAll(() => server.close());

  beforeEach(() => (hashes = 0));

  let lastIp = 0;
  const elsewhere = () => ({ 'x-forwarded-for': `10.6.${++lastIp >> 8}.${lastIp & 255}` });

  it('hashes once for known and unknown addresses alike', async () => {
    const signIn = async (email: string) => {
      hashes = 0;
      const { status, body } = await server.http.post(
        '/auth/login',
        { email, password: 'wrong password' },
        elsewhere(),
      );
      return { status, body, hashes };
    };
    const known = await signIn(person.email);
    expect(known).toMatchObject({ status: 401, hashes: 1 });
    expect(await signIn('nobody@example.com')).toEqual(known);

    const forgot = async (email: string) => {
      hashes = 0;
      const { status, body } = await server.http.post('/auth/password/forgot', { email }, elsewhere());
      await server.app.get(ForgottenPasswordsService, { strict: false }).waitForPending();
      return { status, body, hashes };
    };
    const asked = await forgot(person.email);
    expect(asked).toMatchObject({ status: 200, hashes: 0 });
    expect(await forgot('nobody@example.com')).toEqual(asked);
  });

  it('makes a closed server answer a sign-up alike for known and unknown addresses, without a hash', async () => {
    const closed = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    const count = jest.spyOn(closed.app.get(PasswordHasherService, { strict: false }), 'hash');
    const attempt = async (email: string) => {
      const { status, body } = await closed.http.post('/auth/signup', { email, password: PASSWORD });
      return { status, body };
    };
    const known = await attempt(person.email);
    expect(known.status).toBe(403);
    expect(await attempt('nobody@example.com')).toEqual(known);
    expect(count).not.toHaveBeenCalled();
    await closed.close();
  });

  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'https://elsewhere.example', referer: 'OWN/login' },
    { referer: 'https://elsewhere.example/page' },
    { referer: 'no address' },
  ];
  const own: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.example' },
    { origin: 'OWN' },
    { origin: 'OWN', referer: 'https://elsewhere.example/' },
    { referer: 'OWN/login' },
  ];
  const from = (headers: Record<string, string>) => {
    const entries = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('OWN', server.baseUrl),
    ]);
    return { ...elsewhere(), ...(Object.fromEntries(entries) as Record<string, string>) };
  };
  const writes = (): [string, ApiClient, object | undefined][] => [
    ['/auth/login', server.http, {}],
    ['/auth/login/2fa', server.http, {}],
    ['/auth/signup', server.http, {}],
    ['/auth/password/reset', server.http, {}],
    ['/auth/logout', server.http, undefined],
    ['/auth/me', person.session, { name: 5 }],
    ['/auth/password/change', person.session, {}],
    ['/auth/email/change', person.session, {}],
    ['/auth/email/change/cancel', person.session, undefined],
    ['/auth/account/delete', person.session, {}],
    ['/v2/projects', person.session, {}],
  ];

  it.each(foreign)('refuses writes of other sites: %j', async (headers) => {
    for (const [path, client, body] of writes()) {
      const { status, body: answer, headers: sent } = await client.post(path, body, from(headers));
      expect([path, status]).toEqual([path, 403]);
      if (path.startsWith('/auth/')) expect(answer.type).toBe('csrf_failed');
      expect(sent['set-cookie']).toBeUndefined();
    }
  });

  it.each(own)('takes writes of its own pages and of programs: %j', async (headers) => {
    for (const [path, client, body] of writes()) {
      const { status } = await client.post(path, body, from(headers));
      // The bodies are not valid; what needs none succeeds.
      expect([path, status]).toEqual([path, body === undefined ? 200 : 400]);
    }
  });

  it('reads writes with a cookie only as JSON, and lets no answer be stored', async () => {
    for (const [path, client, body] of writes()) {
      if (body === undefined) continue;
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data; boundary=x',
      ]) {
        const answer = await client.send('POST', path, 'name=x', { 'content-type': type, ...elsewhere() });
        expect([path, answer.status]).toEqual([path, 400]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    }
    for (const path of ['/auth/config', '/auth/me', '/auth/sessions']) {
      expect((await person.session.get(path)).headers['cache-control']).toBe('no-store');
    }
  });

  it('never adopts a session cookie that the browser already has', async () => {
    const planted = `rd_session=${'p'.repeat(43)}`;
    const visitor = server.http.withCookie(planted);
    const body = { email: person.email, password: PASSWORD };
    const cookies = [planted, person.cookie];
    for (const client of [visitor, visitor, person.session]) {
      const answer = await client.post('/auth/login', body, elsewhere());
      expect(answer.status).toBe(200);
      cookies.push(sessionCookie(answer));
    }
    const created = await visitor.post(
      '/auth/signup',
      { email: 'visitor@example.com', password: PASSWORD },
      elsewhere(),
    );
    cookies.push(sessionCookie(created));
    expect(new Set(cookies).size).toBe(6);
    expect((await visitor.get('/auth/me')).status).toBe(401);
  });

  it('makes no account if its project cannot be made', async () => {
    await server.dataSource.query("ALTER TABLE projects ADD CONSTRAINT broken CHECK (name <> 'Broken')");
    const body = { email: 'half@example.com', password: PASSWORD, project_name: 'Broken' };
    const failed = await fetch(`${server.baseUrl}/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...elsewhere() },
      body: JSON.stringify(body),
    });
    expect(failed.status).toBe(500);
    expect(failed.headers.get('set-cookie')).toBeNull();
    const rows = await server.dataSource.query('SELECT 1 FROM users WHERE email = $1', [body.email]);
    expect(rows).toEqual([]);
    await server.dataSource.query('ALTER TABLE projects DROP CONSTRAINT broken');
    expect((await server.http.post('/auth/signup', body, elsewhere())).status).toBe(201);
  });

  it('refuses common passwords, in whatever case, at sign-up', async () => {
    for (const password of ['password', 'TRUSTNO1', '1Qaz2Wsx']) {
      const answer = await server.http.post(
        '/auth/signup',
        { email: 'common@example.com', password },
        elsewhere(),
      );
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          type: 'parameter_error',
          param: 'password',
          message: 'password is one of the most common passwords; choose another.',
        },
      ]);
    }
  });
});
