import { PasswordsService } from '../../src/workspace/accounts/passwords/passwords.service.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer, Json } from '../support/api-client.js';
import { joinAs, PASSWORD, sessionCookie, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { type Authenticator, authenticator, enableTwoFactor, startSignIn } from '../support/two-factor.js';

const MINUTE_MS = 60_000;
const invalidCode = { type: 'two_factor_invalid', message: 'The code is wrong or was used before.' };
const ended = {
  type: 'authentication_error',
  message: 'This sign-in has ended. Sign in again.',
  param: 'login_token',
};

describe('two-factor', () => {
  let server: TestServer;
  let ada: SignedUp;
  let app: Authenticator;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  afterAll(() => server.close());

  const complete = (loginToken: string, code: object, client = server.http): Promise<Answer> =>
    client.post('/auth/login/2fa', { login_token: loginToken, ...code });
  const login = (email: string, password = PASSWORD): Promise<Answer> =>
    server.http.post('/auth/login', { email, password });
  const result = ({ status, body }: Answer) => [status, body] as const;
  /** Some other six digits. */
  const wrong = (): string => String((Number(app.code()) + 1) % 1_000_000).padStart(6, '0');
  const rows = async (table: string, email: string): Promise<number> => {
    const [{ count }] = await server.dataSource.query<[{ count: string }]>(
      `SELECT count(*) FROM ${table} WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    return Number(count);
  };

  describe('is turned on', () => {
    beforeEach(async () => {
      ada = await signUp(server);
    });

    it('requires a code of the newest secret, and then shows it to the other members', async () => {
      const setUp = async (): Promise<Answer> => ada.session.post('/auth/2fa/setup', { password: PASSWORD });
      const [first, second] = [await setUp(), await setUp()];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.body.secret).not.toBe(second.body.secret);
      const url = new URL(second.body.otpauth_url as string);
      expect(url.searchParams.get('secret')).toBe(second.body.secret);
      expect(decodeURIComponent(url.pathname)).toBe(`/Tenure:${ada.email}`);
      const old = authenticator(server, first.body.secret as string);
      app = authenticator(server, second.body.secret as string);
      const enable = (code: string): Promise<Answer> => ada.session.post('/auth/2fa/enable', { code });
      expect(result(await enable(old.code()))).toEqual([401, invalidCode]);
      // It is not on yet.
      expect((await login(ada.email)).body).toEqual({ ok: true });
      expect((await ada.session.get('/auth/me')).body.user.has_mfa).toBe(false);

      const enabled = await enable(app.code());
      expect(enabled.status).toBe(200);
      expect(new Set(enabled.body.recovery_codes).size).toBe(10);
      expect((await ada.session.get('/auth/me')).body.user.has_mfa).toBe(true);
      const bob = await joinAs(server, 'viewer', ada.projectId);
      const { items } = (await bob.session.get(`/v2/projects/${ada.projectId}/collaborators`)).body;
      const shown = Object.fromEntries(items.map((item: Json) => [item.email, item.has_mfa]));
      expect(shown).toEqual({ [ada.email]: true, [bob.email]: false });

      expect(await setUp()).toMatchObject({ status: 409, body: { type: 'resource_already_exists' } });
      expect((await enable(app.freshCode())).status).toBe(409);
    });

    it('stores neither its secret nor recovery codes readable in the database', async () => {
      const { secret, recoveryCodes } = await enableTwoFactor(server, ada);
      const stored = JSON.stringify([
        await server.dataSource.query('SELECT * FROM users'),
        await server.dataSource.query(`SELECT encode(code_hash, 'escape') AS text FROM recovery_codes`),
      ]);
      expect(stored).not.toContain(secret);
      for (const code of recoveryCodes) {
        expect(stored).not.toContain(code);
        expect(stored).not.toContain(code.replaceAll('-', ''));
      }
    });

    it('ends the other sessions', async () => {
      const other = server.http.withCookie(sessionCookie(await login(ada.email)));
      app = await enableTwoFactor(server, ada);
      expect((await other.get('/auth/me')).status).toBe(401);
      expect((await ada.session.get('/auth/me')).status).toBe(200);
    });

    it('requires the right password, after a setup, by one of two requests at once', async () => {
      const refused = await ada.session.post('/auth/2fa/setup', { password: 'not the password' });
      expect([refused.status, refused.body.param]).toEqual([400, 'password']);
      const early = await ada.session.post('/auth/2fa/enable', { code: '123456' });
      expect([early.status, early.body.message]).toEqual([
        409,
        'Create a secret first: POST /auth/2fa/setup.',
      ]);
      const { body } = await ada.session.post('/auth/2fa/setup', { password: PASSWORD });
      const code = authenticator(server, body.secret as string).code();
      const both = await Promise.all([1, 2].map(() => ada.session.post('/auth/2fa/enable', { code })));
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await rows('recovery_codes', ada.email)).toBe(10);
    });

    it('requires a session', async () => {
      for (const path of ['setup', 'enable', 'disable', 'recovery_codes'])
        expect((await server.http.post(`/auth/2fa/${path}`, { code: '123456' })).status).toBe(401);
    });
  });

  describe('asks for a code at sign-in', () => {
    beforeEach(async () => {
      ada = await signUp(server);
      app = await enableTwoFactor(server, ada);
    });

    it('gives no session before it', async () => {
      const { status, body, headers } = await login(ada.email);
      expect([status, body]).toEqual([200, { ok: true, two_factor: true, login_token: expect.any(String) }]);
      expect(headers['set-cookie']).toBeUndefined();
      const token = body.login_token as string;
      expect(token).toMatch(/^[\w-]{43}$/);
      expect((await server.http.withCookie(`rd_session=${token}`).get('/auth/me')).status).toBe(401);
      expect((await login(ada.email, 'not the password')).status).toBe(401);

      const code = app.freshCode();
      const done = await complete(token, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
      expect(result(done)).toEqual([200, { ok: true }]);
      const session = server.http.withCookie(sessionCookie(done));
      expect((await session.get('/auth/me')).body.user.email).toBe(ada.email);
      expect((await session.get('/auth/sessions')).body.items[0]).toMatchObject({
        method: 'password',
        current: true,
      });
      // A login token works once.
      expect(result(await complete(token, { code: app.freshCode() }))).toEqual([401, ended]);
    });

    it('accepts it on any replica, for ten minutes', async () => {
      const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
      const [early, late] = [await startSignIn(server, ada), await startSignIn(server, ada)];
      server.clock.advanceMs(10 * MINUTE_MS - 1);
      expect((await complete(early, { code: app.code() }, replica.http)).status).toBe(200);
      server.clock.advanceMs(1);
      expect(result(await complete(late, { code: app.code(1) }, replica.http))).toEqual([401, ended]);
      await replica.app.get(CleanupsJob, { strict: false }).run();
      expect(await rows('login_attempts', ada.email)).toBe(0);
      await replica.close();
    });

    it('takes the code of one step before and after, and each step once, in order', async () => {
      server.clock.advanceMs(5 * 30_000);
      const attempt = async (code: string): Promise<number> =>
        (await complete(await startSignIn(server, ada), { code })).status;
      expect(await attempt(app.code(-2))).toBe(401);
      expect(await attempt(app.code(-1))).toBe(200);
      expect(await attempt(app.code(-1))).toBe(401);
      expect(await attempt(app.code(1))).toBe(200);
      // Older than the last used one.
      expect(await attempt(app.code())).toBe(401);
      expect(await attempt(app.code(2))).toBe(401);
    });

    it.each([
      ['a code of the app', (codes: Authenticator) => ({ code: codes.code() })],
      ['a recovery code', ({ recoveryCodes: [code] }: Authenticator) => ({ recovery_code: code })],
    ])('succeeds exactly once of two requests at once with %s', async (_, codeOf) => {
      app.freshCode();
      const tokens = await Promise.all([1, 2, 3].map(() => startSignIn(server, ada)));
      const answers = await Promise.all(tokens.map((token) => complete(token, codeOf(app))));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
      const refused = answers.filter(({ status }) => status === 401);
      for (const { body, headers } of refused) {
        expect(body).toEqual(invalidCode);
        expect(headers['set-cookie']).toBeUndefined();
      }
    });

    it('succeeds exactly once of two requests at once with one login token', async () => {
      app.freshCode();
      const token = await startSignIn(server, ada);
      const codes = [{ code: app.code() }, ...app.recoveryCodes.slice(0, 2).map((code) => ({ code }))];
      const answers = await Promise.all(codes.map((code) => complete(token, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
      // The codes of the refused ones still work.
      expect(await rows('recovery_codes', ada.email)).toBeGreaterThanOrEqual(9);
    });

    it('takes a recovery code once, however it is typed', async () => {
      const [code = ''] = app.recoveryCodes;
      const typed = { recovery_code: code.toUpperCase().replaceAll('-', ' ') };
      expect((await complete(await startSignIn(server, ada), typed)).status).toBe(200);
      const again = await complete(await startSignIn(server, ada), typed);
      expect(result(again)).toEqual([401, invalidCode]);
      expect(await rows('recovery_codes', ada.email)).toBe(9);
    });

    it('refuses the codes of another account', async () => {
      const bob = await signUp(server);
      const other = await enableTwoFactor(server, bob);
      const token = await startSignIn(server, ada);
      expect((await complete(token, { code: other.freshCode() })).body).toEqual(invalidCode);
      const [recovery] = other.recoveryCodes;
      expect((await complete(token, { recovery_code: recovery })).body).toEqual(invalidCode);
      expect(await rows('recovery_codes', bob.email)).toBe(10);
    });

    it('applies after the password was reset, too, which ends sign-ins that began before', async () => {
      const before = await startSignIn(server, ada);
      const passwords = server.app.get(PasswordsService, { strict: false });
      await passwords.resetByOperator(ada.email, 'another good password');
      expect(result(await complete(before, { code: app.freshCode() }))).toEqual([401, ended]);
      const { body } = await login(ada.email, 'another good password');
      expect(body.two_factor).toBe(true);
    });

    it.each([
      [{ login_token: 'x' }, 'code'],
      [{ login_token: 'x', code: null, recovery_code: null }, 'code'],
      [{ login_token: 'x', code: '123456', recovery_code: 'y' }, 'code'],
      [{ code: '123456' }, 'login_token'],
      [{ login_token: 1, code: '123456' }, 'login_token'],
      [{ login_token: 'x', code: 123456 }, 'code'],
      [{ login_token: 'x', code: '1'.repeat(101) }, 'code'],
      [{ login_token: 'x', recovery_code: '\0' }, 'recovery_code'],
    ])('refuses the body %j', async (body, param) => {
      const answer = await server.http.post('/auth/login/2fa', body);
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', param]);
    });

    it('refuses a request from another site, and keeps the code', async () => {
      const token = await startSignIn(server, ada);
      const client = server.http.with({ 'sec-fetch-site': 'cross-site' });
      const code = app.freshCode();
      expect((await complete(token, { code }, client)).body.type).toBe('csrf_failed');
      expect((await complete(token, { code })).status).toBe(200);
    });
  });

  describe('stops guessing', () => {
    beforeEach(async () => {
      ada = await signUp(server);
      app = await enableTwoFactor(server, ada);
      app.freshCode();
    });

    it('stops after five wrong codes for one sign-in, even if they come at once', async () => {
      const token = await startSignIn(server, ada);
      const guesses = await Promise.all([1, 2, 3, 4, 5].map(() => complete(token, { code: wrong() })));
      expect(guesses.map(result)).toEqual(Array(5).fill([401, invalidCode]));
      expect(result(await complete(token, { code: app.code() }))).toEqual([401, ended]);
      expect((await complete(await startSignIn(server, ada), { code: app.code() })).status).toBe(200);
    });

    it('stops after ten in 15 minutes for the account, on every route that takes a code, even for the right one', async () => {
      for (const code of [wrong(), '0a1b2c3d-4e5f6071-8293a4b5-c6d7e8f9']) {
        const token = await startSignIn(server, ada);
        for (let n = 0; n < 4; n++) await complete(token, { code });
      }
      await ada.session.post('/auth/2fa/disable', { code: wrong() });
      // Right codes do not count.
      expect((await ada.session.post('/auth/2fa/recovery_codes', { code: app.code() })).status).toBe(200);
      expect((await complete(await startSignIn(server, ada), { code: wrong() })).status).toBe(401);

      // The minutes began with the code that turned two-factor on.
      const paused = await complete(await startSignIn(server, ada), { code: app.freshCode() });
      expect(paused).toMatchObject({ status: 429, body: { type: 'rate_limit_error', retry_after: 840 } });
      expect(paused.headers['retry-after']).toBe('840');
      const replica = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
      const there = replica.http.withCookie(ada.cookie);
      expect((await there.post('/auth/2fa/disable', { code: app.code() })).status).toBe(429);
      await replica.close();
      // Others sign in as before.
      const bob = await signUp(server);
      const other = await enableTwoFactor(server, bob);
      const signedIn = await complete(await startSignIn(server, bob), { code: other.freshCode() });
      expect(signedIn.status).toBe(200);

      server.clock.advanceMs(15 * MINUTE_MS);
      expect((await complete(await startSignIn(server, ada), { code: app.code() })).status).toBe(200);
    });

    it('stops at the tenth, even if all arrive at once', async () => {
      const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => startSignIn(server, ada)));
      const guesses = await Promise.all(
        tokens.flatMap((token) => [1, 2, 3, 4].map(() => complete(token, { code: wrong() }))),
      );
      const statuses = guesses.map(({ status }) => status);
      expect([401, 429].map((status) => statuses.filter((found) => found === status).length)).toEqual([
        10, 10,
      ]);
    });
  });

  describe('is changed with a code', () => {
    beforeEach(async () => {
      ada = await signUp(server);
      app = await enableTwoFactor(server, ada);
    });

    it.each([
      ['a code of the app', (codes: Authenticator) => codes.freshCode()],
      ['a recovery code', ({ recoveryCodes: [code = ''] }: Authenticator) => code],
    ])('turns off with %s', async (_, codeOf) => {
      const waiting = await startSignIn(server, ada);
      expect((await ada.session.post('/auth/2fa/disable', { code: '000000x' })).body).toEqual(invalidCode);
      const off = await ada.session.post('/auth/2fa/disable', { code: codeOf(app) });
      expect(result(off)).toEqual([200, { ok: true }]);
      expect(result(await complete(waiting, { code: app.freshCode() }))).toEqual([401, ended]);
      expect(result(await login(ada.email))).toEqual([200, { ok: true }]);
      expect((await ada.session.get('/auth/me')).body.user.has_mfa).toBe(false);
      expect(await rows('recovery_codes', ada.email)).toBe(0);
      for (const path of ['disable', 'recovery_codes']) {
        const again = await ada.session.post(`/auth/2fa/${path}`, { code: app.freshCode() });
        expect([again.status, again.body.message]).toEqual([409, 'Two-factor is off.']);
      }
      // The old secret cannot be enabled again.
      expect((await ada.session.post('/auth/2fa/enable', { code: app.freshCode() })).status).toBe(409);
      await enableTwoFactor(server, ada);
    });

    it('replaces the old recovery codes with new ones', async () => {
      const [first, second] = app.recoveryCodes;
      const renewed = await ada.session.post('/auth/2fa/recovery_codes', { code: first });
      expect(renewed.status).toBe(200);
      const codes = renewed.body.recovery_codes as string[];
      expect(codes).toHaveLength(10);
      const attempt = async (code?: string): Promise<number> =>
        (await complete(await startSignIn(server, ada), { recovery_code: code })).status;
      expect([await attempt(second), await attempt(codes[0])]).toEqual([401, 200]);
    });

    it.each(['disable', 'recovery_codes', 'enable'])('requires one for %s', async (path) => {
      for (const body of [{}, { code: null }, { code: 1 }, { code: '' }]) {
        const answer = await ada.session.post(`/auth/2fa/${path}`, body);
        expect([answer.status, answer.body.param]).toEqual([400, 'code']);
      }
    });
  });
});
