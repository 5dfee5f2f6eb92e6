import { hash } from '@node-rs/argon2';
import { rolePermissions } from '../../src/platform/principal/permissions.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import { Config } from '../../src/platform/config/config.js';
import { setupTokenOf } from '../../src/workspace/accounts/sign-up/setup-token.js';
import type { Answer, Json } from '../support/api-client.js';
import { PASSWORD, sessionCookie, signUp } from '../support/arrange.js';
import { startTestServer, TEST_START_MS, type TestServer } from '../support/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function statuses(answers: Answer[]): number[] {
  return answers.map(({ status }) => status).sort();
}

async function signIn(server: TestServer, email: string, password = PASSWORD, ip?: string): Promise<Answer> {
  const headers: Record<string, string> = ip === undefined ? {} : { 'x-forwarded-for': ip };
  return server.http.post('/auth/login', { email, password }, headers);
}

async function oneValue(server: TestServer, sql: string, values: unknown[] = []): Promise<unknown> {
  const [row] = await server.dataSource.query<[object]>(sql, values);
  return Object.values(row)[0];
}

describe('a server without accounts', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('lets only one of several people who sign up at the same time in, and is closed from then on', async () => {
    const before = await server.http.get('/auth/config');
    expect(before.body).toEqual({ edition: 'self-hosted', signup: 'first_account', sso: false });

    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        server.http.post('/auth/signup', { email: `p${n}@example.com`, password: PASSWORD }),
      ),
    );

    expect(statuses(answers)).toEqual([201, 403, 403, 403]);
    for (const { status, body, headers } of answers) {
      if (status === 201) {
        expect(body).toEqual({ ok: true, project_id: expect.stringMatching(/^proj/) });
      } else {
        expect(body).toEqual({ type: 'signup_closed', message: 'Sign-up is closed on this server.' });
        expect(headers['set-cookie']).toBeUndefined();
      }
    }
    expect((await server.http.get('/auth/config')).body.signup).toBe('closed');
  });
});

describe('the first account from another machine', () => {
  const person = { email: 'owner@example.com', password: PASSWORD };
  const refused = {
    type: 'signup_closed',
    reason: 'setup_token_required',
    message: 'The first account needs the setup token that the server prints at start (setup_token).',
  };
  const forwarded = { 'x-forwarded-for': '127.0.0.1' };
  let server: TestServer;

  beforeEach(async () => {
    server = await startTestServer();
  });

  afterEach(() => server.close());

  const tokenOf = ({ app }: TestServer): string => setupTokenOf(app.get(Config, { strict: false })) ?? '';
  const expectRefused = ({ status, body, headers }: Answer): void => {
    expect([status, body]).toEqual([403, refused]);
    expect(headers['set-cookie']).toBeUndefined();
  };

  it.each([
    ['X-Forwarded-For with a loopback address', forwarded],
    ['X-Forwarded-For that is empty', { 'x-forwarded-for': '' }],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
    ['X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
    ['CF-Connecting-IP', { 'cf-connecting-ip': '127.0.0.1' }],
    ['a Host that is not the machine itself', { host: 'rebound.example.com' }],
  ])('needs the setup token; %s does not help', async (_, headers) => {
    expectRefused(await server.http.post('/auth/signup', person, headers));
    expect((await server.http.get('/auth/config')).body.signup).toBe('first_account');
  });

  it.each([null, '', 'x', 'a'.repeat(43)])('refuses the token %j', async (setupToken) => {
    expectRefused(await server.http.post('/auth/signup', { ...person, setup_token: setupToken }, forwarded));
  });

  it('accepts the token, which is the same after a restart and on every replica, once', async () => {
    const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
    const token = tokenOf(server);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(tokenOf(replica)).toBe(token);
    const answers = await Promise.all(
      [server, replica, server, replica].map(({ http }, n) =>
        http.post(
          '/auth/signup',
          { email: `p${n}@example.com`, password: PASSWORD, setup_token: token },
          forwarded,
        ),
      ),
    );
    expect(statuses(answers)).toEqual([201, 403, 403, 403]);
    const late = await replica.http.post('/auth/signup', { ...person, setup_token: token }, forwarded);
    expect([late.status, late.body]).toEqual([
      403,
      { type: 'signup_closed', message: 'Sign-up is closed on this server.' },
    ]);
    await replica.close();
  });

  it('takes the configured token, and the derived one no more', async () => {
    const setupToken = 'chosen-by-the-operator';
    const other = await startTestServer({ env: { SERVICE_SETUP_TOKEN: setupToken } });
    const attempt = (given: string): Promise<Answer> =>
      other.http.post('/auth/signup', { ...person, setup_token: given }, forwarded);
    expectRefused(await attempt(tokenOf(server)));
    expect((await attempt(setupToken)).status).toBe(201);
    await other.close();
  });

  it('leaves the other people of an open server alone', async () => {
    const open = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    expect((await open.http.post('/auth/signup', person, forwarded)).status).toBe(201);
    await open.close();
  });
});

describe('dashboard accounts', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  afterAll(() => server.close());

  describe('sign-up', () => {
    const valid = { email: 'valid@example.com', password: PASSWORD };
    const post = (body: Json, ip = '10.9.9.9') =>
      server.http.post('/auth/signup', body, { 'x-forwarded-for': ip });

    it('creates a person with a project, signed in for 30 days', async () => {
      expect((await server.http.get('/auth/config')).body.signup).toBe('open');
      const person = { email: '  Ada@Example.COM ', password: PASSWORD };
      const answer = await post({ ...person, name: 'Ada', project_name: 'Engines' });
      expect([answer.status, answer.body]).toEqual([
        201,
        { ok: true, project_id: expect.stringMatching(/^proj/) },
      ]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringMatching(/^rd_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/),
        expect.stringMatching(/^rd_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/),
      ]);
      const me = await server.http.withCookie(sessionCookie(answer)).get('/auth/me');
      expect(me.status).toBe(200);
      expect(me.body).toEqual({
        user: {
          id: expect.stringMatching(/^usr_[0-9a-z]{16}$/),
          email: 'ada@example.com',
          name: 'Ada',
          email_verified: true,
          alert_emails: true,
          has_password: true,
          has_mfa: false,
        },
        email_change: null,
        account: { edition: 'self-hosted', plan: 'free', email_verification_required: false },
        projects: [
          {
            id: expect.stringMatching(/^proj[0-9a-z]{10}$/),
            name: 'Engines',
            role: 'admin',
            permissions: [...rolePermissions.admin],
            organization_id: null,
            created_at: TEST_START_MS,
          },
        ],
      });
    });

    it('marks the cookie Secure when the request came over https', async () => {
      const answer = await server.http.post(
        '/auth/signup',
        { email: 'secure@example.com', password: PASSWORD },
        { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.9.9.8' },
      );
      expect(answer.headers['set-cookie']?.[0]).toMatch(/; Max-Age=2592000; Secure$/);
    });

    it('marks the cookie Secure when the public address is https, whatever the request says', async () => {
      const behind = await startTestServer({
        databaseUrl: server.databaseUrl,
        env: { SERVICE_PUBLIC_URL: 'https://purchases.example.com', SERVICE_ALLOW_SIGNUP: 'true' },
      });
      const account = { email: 'behind@example.com', password: PASSWORD };
      for (const path of ['/auth/signup', '/auth/login', '/auth/logout']) {
        const { headers } = await behind.http.post(path, account);
        expect([path, headers['set-cookie']?.[0]]).toEqual([path, expect.stringMatching(/; Secure$/)]);
      }
      await behind.close();
    });

    it('names the project "My project" and the person not at all by default', async () => {
      const { session } = await signUp(server);
      const { body } = await session.get('/auth/me');
      expect([body.user.name, body.projects[0].name]).toEqual([null, 'My project']);
    });

    it.each<[string, Json, string]>([
      ['no body', {}, 'email'],
      ['an address without @', { ...valid, email: 'ada' }, 'email'],
      ['an address with two @', { ...valid, email: 'a@b@example.com' }, 'email'],
      ['a domain without a dot', { ...valid, email: 'ada@example' }, 'email'],
      ['an address that ends a header', { ...valid, email: 'a@example.com\r\nBcc: b' }, 'email'],
      ['an address of 255 characters', { ...valid, email: `${'a'.repeat(243)}@example.com` }, 'email'],
      ['an address that is no string', { ...valid, email: ['a@example.com'] }, 'email'],
      ['no password', { email: valid.email }, 'password'],
      ['a password of 7 characters', { ...valid, password: '😀'.repeat(7) }, 'password'],
      ['a password of 257 characters', { ...valid, password: 'a'.repeat(257) }, 'password'],
      ['a password that is no text', { ...valid, password: '\ud800'.repeat(8) }, 'password'],
      ['a password with a NUL', { ...valid, password: 'eight\0or more' }, 'password'],
      ['a numeric password', { ...valid, password: 1234567890 }, 'password'],
      ['a name of 101 characters', { ...valid, name: 'a'.repeat(101) }, 'name'],
      ['a name with a line break', { ...valid, name: 'Ada\nLovelace' }, 'name'],
      ['an empty project name', { ...valid, project_name: '' }, 'project_name'],
      ['a project name of 101 characters', { ...valid, project_name: 'a'.repeat(101) }, 'project_name'],
    ])('refuses %s', async (_, body, param) => {
      const answer = await post(body);
      expect([answer.status, answer.body]).toEqual([
        400,
        { type: 'parameter_error', param, message: expect.stringContaining(param) },
      ]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    });

    it('refuses an invitation that does not exist', async () => {
      const answer = await post({ ...valid, invite_token: 'x'.repeat(43) });
      expect([answer.status, answer.body.type]).toEqual([400, 'invite_invalid']);
    });

    it('refuses bodies that are not JSON', async () => {
      const answer = await server.http.send('POST', '/auth/signup', 'email=a', {
        'content-type': 'application/x-www-form-urlencoded',
      });
      expect([answer.status, answer.body.type]).toEqual([400, 'invalid_request']);
    });

    it('gives an address to one account only, however it is written and also in a race', async () => {
      const race = await Promise.all([
        post({ email: 'twin@example.com', password: PASSWORD }, '10.9.1.1'),
        post({ email: 'Twin@example.com', password: PASSWORD }, '10.9.1.2'),
      ]);
      expect(statuses(race)).toEqual([201, 409]);
      const later = await post({ email: 'TWIN@example.com', password: PASSWORD }, '10.9.1.3');
      expect([later.status, later.body]).toEqual([
        409,
        { type: 'resource_already_exists', param: 'email', message: 'This address already has an account.' },
      ]);
    });

    it('stops an IP after 10 attempts in an hour; all addresses of an IPv6 /64 are one', async () => {
      for (let n = 0; n < 10; n++) {
        const answer = await post({ email: 'twin@example.com', password: PASSWORD }, `2001:db8::${n + 1}`);
        expect(answer.status).toBe(409);
      }
      const stopped = await post({ email: 'eleven@example.com', password: PASSWORD }, '2001:db8::ffff:1');
      expect(stopped.status).toBe(429);
      expect(stopped.headers['retry-after']).toBe('3600');
      expect(stopped.body).toEqual({
        type: 'rate_limit_error',
        message: 'Too many attempts. Try again later.',
        retry_after: 3600,
      });
      const replica = await startTestServer({
        databaseUrl: server.databaseUrl,
        clock: server.clock,
        env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
      });
      const there = { email: 'eleven@example.com', password: PASSWORD };
      const from = { 'x-forwarded-for': '2001:db8::7' };
      expect((await replica.http.post('/auth/signup', there, from)).status).toBe(429);
      await replica.close();
      expect((await post({ email: 'next@example.com', password: PASSWORD }, '2001:db8:0:1::1')).status).toBe(
        201,
      );
      server.clock.advanceMs(60 * MINUTE_MS);
      expect((await post({ email: 'eleven@example.com', password: PASSWORD }, '2001:db8::1')).status).toBe(
        201,
      );
    });
  });

  describe('sign-in', () => {
    it('starts a session of its own each time', async () => {
      const { email, cookie } = await signUp(server);
      const first = await signIn(server, email);
      const second = await signIn(server, email.toUpperCase());
      expect([first.status, first.body, second.status]).toEqual([200, { ok: true }, 200]);
      const cookies = [cookie, sessionCookie(first), sessionCookie(second)];
      expect(new Set(cookies).size).toBe(3);
      for (const each of cookies) {
        expect((await server.http.withCookie(each).get('/auth/me')).body.user.email).toBe(email);
      }
    });

    it('does not tell an unknown address from a wrong password', async () => {
      const { email } = await signUp(server);
      const wrong = await signIn(server, email, 'wrong password');
      const unknown = await signIn(server, 'nobody@example.com');
      expect([wrong.status, wrong.body]).toEqual([
        401,
        { type: 'authentication_error', message: 'The email or the password is wrong.' },
      ]);
      expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
      expect(wrong.headers['set-cookie']).toBeUndefined();
    });

    it('takes a password in whatever Unicode form it is typed', async () => {
      const email = 'unicode@example.com';
      const body = { email, password: '1234567e\u0301' };
      const created = await server.http.post('/auth/signup', body, { 'x-forwarded-for': '10.9.2.1' });
      expect(created.status).toBe(201);
      expect((await signIn(server, email, '1234567\u00e9')).status).toBe(200);
      expect((await signIn(server, email, '1234567e\u0301')).status).toBe(200);
    });

    it.each([
      ['no address', { password: PASSWORD }, 'email'],
      ['no password', { email: 'a@example.com' }, 'password'],
      ['an empty password', { email: 'a@example.com', password: '' }, 'password'],
      ['a password of another type', { email: 'a@example.com', password: {} }, 'password'],
    ])('refuses %s', async (_, body, param) => {
      const answer = await server.http.post('/auth/login', body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('never makes a dashboard session for the token login of an SDK', async () => {
      const { email } = await signUp(server);
      for (const body of [{ email, password: PASSWORD }, { method: 'anonymous' }, undefined]) {
        const answer = await server.http.post('/auth/login', body, { authorization: 'Bearer appl_x' });
        expect([answer.status, answer.body.code]).toEqual([401, 7225]);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    it('stops an address after 10 wrong passwords, the right one too, until 15 minutes are over', async () => {
      const { email } = await signUp(server);
      const guesses = await Promise.all(
        Array.from({ length: 14 }, (_, n) => signIn(server, email, `wrong password ${n}`, `10.8.0.${n}`)),
      );
      expect(statuses(guesses)).toEqual([...Array<number>(10).fill(401), 429, 429, 429, 429]);
      server.clock.advanceMs(5 * MINUTE_MS);
      const right = await signIn(server, email, PASSWORD, '10.8.1.1');
      expect([right.status, right.headers['retry-after'], right.body.retry_after]).toEqual([429, '600', 600]);
      const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
      try {
        expect((await signIn(replica, email)).status).toBe(429);
      } finally {
        await replica.close();
      }
      server.clock.advanceMs(10 * MINUTE_MS);
      expect((await signIn(server, email, 'wrong password', '10.8.1.1')).status).toBe(401);
      expect((await signIn(server, email, PASSWORD, '10.8.1.1')).status).toBe(200);
    });

    it('lets a device in which the person has signed in try on while strangers lock the address', async () => {
      const { email } = await signUp(server);
      const known = await signIn(server, email, PASSWORD, '10.8.3.1');
      const cookies = (known.headers['set-cookie'] ?? []) as unknown as string[];
      const device = cookies
        .map((cookie) => cookie.split(';')[0])
        .find((cookie) => cookie?.startsWith('rd_device='));
      expect(cookies.find((cookie) => cookie.startsWith('rd_device='))).toMatch(
        /; HttpOnly; SameSite=Lax; Max-Age=34560000/,
      );
      const onDevice = (password: string, address = email): Promise<Answer> =>
        server.http
          .with({ cookie: device ?? '', 'x-forwarded-for': '10.8.3.2' })
          .post('/auth/login', { email: address, password });
      for (let guesses = 0; guesses < 10; guesses++)
        await signIn(server, email, 'wrong password', '10.8.3.3');
      expect((await signIn(server, email, PASSWORD, '10.8.3.4')).status).toBe(429);
      expect((await onDevice(PASSWORD)).status).toBe(200);
      const statusesOnDevice: number[] = [];
      for (let guesses = 0; guesses < 11; guesses++) statusesOnDevice.push((await onDevice('wrong')).status);
      expect(statusesOnDevice).toEqual([...Array<number>(10).fill(401), 429]);
      const { email: other } = await signUp(server);
      for (let guesses = 0; guesses < 10; guesses++)
        await signIn(server, other, 'wrong password', '10.8.3.5');
      expect((await onDevice(PASSWORD, other)).status).toBe(429);
      const rows = await server.dataSource.query(
        'SELECT encode(device_hash, $1) AS hash FROM known_devices',
        ['escape'],
      );
      expect(JSON.stringify(rows)).not.toContain(device?.split('=')[1] ?? 'none');
    });

    it('replaces a hash that was made with weaker parameters', async () => {
      const { email } = await signUp(server);
      const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
      const stored = () => oneValue(server, 'SELECT password_hash FROM users WHERE email = $1', [email]);
      await server.dataSource.query('UPDATE users SET password_hash = $1 WHERE email = $2', [weak, email]);
      expect((await signIn(server, email, 'wrong password')).status).toBe(401);
      expect(await stored()).toBe(weak);
      expect((await signIn(server, email)).status).toBe(200);
      expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect((await signIn(server, email)).status).toBe(200);
    });

    it('does not count right passwords', async () => {
      const { email } = await signUp(server);
      for (let n = 0; n < 12; n++) expect((await signIn(server, email)).status).toBe(200);
    });

    it('stops an IP after 50 failed sign-ins with any addresses, and only that IP', async () => {
      const { email } = await signUp(server);
      const guesses = await Promise.all(
        Array.from({ length: 50 }, (_, n) => signIn(server, `guess${n}@example.com`, PASSWORD, '10.8.2.1')),
      );
      expect(new Set(statuses(guesses))).toEqual(new Set([401]));
      for (let n = 0; n < 10; n++) {
        expect((await signIn(server, email, PASSWORD, '10.8.2.1')).status).toBe(429);
      }
      expect((await signIn(server, email, PASSWORD, '10.8.2.2')).status).toBe(200);
    });
  });

  describe('a session', () => {
    it('lasts 30 days from the sign-in, however much it is used', async () => {
      const { session } = await signUp(server);
      server.clock.advanceMs(29 * DAY_MS);
      expect((await session.get('/auth/me')).status).toBe(200);
      server.clock.advanceMs(DAY_MS - 1);
      expect((await session.get('/auth/me')).status).toBe(200);
      server.clock.advanceMs(1);
      const over = await session.get('/auth/me');
      expect([over.status, over.body.type]).toEqual([401, 'authentication_error']);
    });

    it('ends at the sign-out, alone, and the cookie is cleared', async () => {
      const { email, session } = await signUp(server);
      const other = server.http.withCookie(sessionCookie(await signIn(server, email)));
      const answer = await session.post('/auth/logout');
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      expect(answer.headers['set-cookie']).toEqual([
        'rd_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      ]);
      expect((await session.get('/auth/me')).status).toBe(401);
      expect((await other.get('/auth/me')).status).toBe(200);
      expect((await session.post('/auth/logout')).status).toBe(200);
      expect((await server.http.post('/auth/logout')).status).toBe(200);
    });

    it('refuses another site to start, end or use it for a write', async () => {
      const { email, session } = await signUp(server);
      const elsewhere: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://elsewhere.example' },
        { origin: 'null' },
        { referer: 'https://elsewhere.example/page' },
      ];
      for (const from of elsewhere) {
        const credentials = { email, password: PASSWORD };
        const answers = [
          await server.http.post('/auth/login', credentials, from),
          await server.http.post('/auth/signup', { ...credentials, email: 'csrf@example.com' }, from),
          await session.post('/auth/logout', undefined, from),
          await session.post('/auth/me', { name: 'Mallory' }, from),
          await session.post('/v2/projects', { name: 'Theirs' }, from),
        ];
        expect(statuses(answers)).toEqual([403, 403, 403, 403, 403]);
        expect(answers[0]?.body.type).toBe('csrf_failed');
      }
      expect((await session.get('/auth/me')).body.user.name).toBeNull();
      const own = { origin: new URL(server.baseUrl).origin };
      expect((await session.post('/auth/me', { name: 'Ada' }, own)).status).toBe(200);
    });

    it('expires some time after its end, like rate limits, and not before', async () => {
      const rows = (table: string) => oneValue(server, `SELECT count(*) FROM ${table}`);
      const { email } = await signUp(server);
      server.clock.advanceMs(29 * DAY_MS);
      const { session } = await signUp(server);
      server.clock.advanceMs(DAY_MS);
      await signIn(server, email, 'wrong password');
      await server.app.get(CleanupsJob).run();
      expect([await rows('sessions'), await rows('rate_limits')]).toEqual([1, 2]);
      expect((await session.get('/auth/me')).status).toBe(200);
    });

    it('protects the account', async () => {
      for (const client of [server.http, server.http.withCookie('rd_session=unknown')]) {
        expect((await client.get('/auth/me')).status).toBe(401);
        expect((await client.post('/auth/me', { name: 'Ada' })).status).toBe(401);
      }
    });
  });

  describe('the own account', () => {
    it('changes what is sent and keeps the rest', async () => {
      const { session } = await signUp(server);
      const named = await session.post('/auth/me', { name: 'Grace', email: 'ignored@example.com' });
      expect(named.body.user).toMatchObject({ name: 'Grace', alert_emails: true });
      expect(named.body.user.email).not.toBe('ignored@example.com');
      const quiet = await session.post('/auth/me', { alert_emails: false });
      expect(quiet.body.user).toMatchObject({ name: 'Grace', alert_emails: false });
      const cleared = await session.post('/auth/me', { name: '' });
      expect(cleared.body.user).toMatchObject({ name: null, alert_emails: false });
      await session.post('/auth/me', { name: 'Grace' });
      expect((await session.post('/auth/me', { name: null })).body.user.name).toBeNull();
      const unchanged = await session.post('/auth/me', {});
      expect(unchanged.body).toEqual({ user: (await session.get('/auth/me')).body.user });
    });

    it.each([
      [{ name: 5 }, 'name'],
      [{ name: 'a'.repeat(101) }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ alert_emails: 'yes' }, 'alert_emails'],
      [{ alert_emails: null }, 'alert_emails'],
    ])('refuses %j', async (body, param) => {
      const { session } = await signUp(server);
      const answer = await session.post('/auth/me', body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });
  });
});
