import { ForgottenPasswordsService } from '../../src/workspace/accounts/passwords/forgotten-passwords.service.js';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer } from '../support/api-client.js';
import { PASSWORD, sessionCookie, type SignedUp, signUp } from '../support/arrange.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { enableTwoFactor } from '../support/two-factor.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEW_PASSWORD = 'staple of the battery';
const GUESSED = 'x'.repeat(43);

let mailServer: MailServer;
let lastIp = 0;

beforeAll(async () => {
  mailServer = await startMailServer();
});

afterAll(() => mailServer.close());

/** Each call seems to come from an IP of its own. */
const elsewhere = () => ({ 'x-forwarded-for': `10.7.${++lastIp >> 8}.${lastIp & 255}` });

const startServer = (env: NodeJS.ProcessEnv = {}): Promise<TestServer> =>
  startTestServer({
    env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', ...mailServer.env, ...env },
  });

function signIn({ http }: TestServer, email: string, password: string): Promise<Answer> {
  return http.post('/auth/login', { email, password }, elsewhere());
}

/** The next mail to an address, after what `cause` does. */
async function mailAfter<T>(email: string, cause: () => Promise<T>): Promise<string> {
  const known = mailServer.mailsTo(email).length;
  await cause();
  for (let all = mailServer.mails.length; mailServer.mailsTo(email).length === known; all++) {
    await mailServer.received(all + 1);
  }
  const { pathname, hash } = mailServer.lastLinkTo(email);
  return `${pathname}${hash}`;
}

const tokenIn = (link: string): string => /#token=([\w-]{43})$/.exec(link)?.[1] ?? '';

const expectInvalid = ({ status, body, headers }: Answer, reason: string): void => {
  expect([status, body]).toEqual([
    400,
    { type: 'token_invalid', reason, message: expect.stringContaining('link') },
  ]);
  expect(headers['set-cookie']).toBeUndefined();
};

describe('a forgotten password', () => {
  let server: TestServer;
  let person: SignedUp;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    person = await signUp(server);
  });

  const forgot = (email: string, ip = elsewhere()) =>
    server.http.post('/auth/password/forgot', { email }, ip);
  const check = (token: string) => server.http.post('/auth/password/check', { token }, elsewhere());
  const reset = (token: string, password = NEW_PASSWORD) =>
    server.http.post('/auth/password/reset', { token, password }, elsewhere());
  const mailsQueued = () => server.app.get(ForgottenPasswordsService, { strict: false }).waitForPending();
  const linkTo = async (email: string): Promise<string> =>
    tokenIn(await mailAfter(email, () => forgot(email)));

  it('sends a link that works once, signs in here and out everywhere else', async () => {
    const { email, session } = person;
    const link = await mailAfter(email, () => forgot(` ${email.toUpperCase()} `));
    expect(link).toMatch(/^\/reset-password#token=[\w-]{43}$/);
    const token = tokenIn(link);
    expect((await check(token)).body).toEqual({ valid: true, reason: null, message: null });

    const notice = await mailAfter(email, async () => {
      const answer = await reset(token);
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      const here = server.http.withCookie(sessionCookie(answer));
      expect((await here.get('/auth/me')).body.user.email).toBe(email);
    });
    expect(notice).toBe('/reset-password');
    expect(mailServer.lastMailTo(email).subject).toBe('Your password was changed');

    expect((await session.get('/auth/me')).status).toBe(401);
    expect((await signIn(server, email, PASSWORD)).status).toBe(401);
    expect((await signIn(server, email, NEW_PASSWORD)).status).toBe(200);
    expectInvalid(await reset(token), 'used');
    expect((await check(token)).body).toMatchObject({ valid: false, reason: 'used' });
    const methods = await server.dataSource.query<{ method: string }[]>(
      'SELECT s.method FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 ORDER BY 1',
      [email],
    );
    expect(methods.map(({ method }) => method)).toEqual(['password', 'reset']);
    const logs = person.session.withCookie(sessionCookie(await signIn(server, email, NEW_PASSWORD)));
    const { body } = await logs.get(`/v2/projects/${person.projectId}/audit_logs`);
    expect(body.items).toContainEqual(
      expect.objectContaining({
        action_type: 'collaborator_password_reset',
        actor_identifier: email,
      }),
    );
  });

  it('still needs a code when two-factor is on: the link alone does not sign in', async () => {
    const app = await enableTwoFactor(server, person);
    const answer = await reset(await linkTo(person.email));
    expect([answer.status, answer.body]).toEqual([
      200,
      { ok: true, two_factor: true, login_token: expect.any(String) },
    ]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const complete = (code: string) =>
      server.http.post('/auth/login/2fa', { login_token: answer.body.login_token, code });
    const used = app.code();
    expect((await complete(used)).status).toBe(401);
    const signedIn = await complete(app.freshCode());
    const me = await server.http.withCookie(sessionCookie(signedIn)).get('/auth/me');
    expect(me.body.user.email).toBe(person.email);
  });

  it('answers the same whether or not the address has an account', async () => {
    const before = mailServer.mails.length;
    const unknown = await forgot('nobody@example.com');
    await mailsQueued();
    expect(mailServer.mails).toHaveLength(before);
    let known: Answer | undefined;
    await mailAfter(person.email, async () => (known = await forgot(person.email)));
    expect([unknown.status, unknown.body]).toEqual([
      200,
      { ok: true, message: 'If this address has an account, a link is on its way.' },
    ]);
    expect([known?.status, known?.body]).toEqual([unknown.status, unknown.body]);
    expect((await forgot('no address')).body).toMatchObject({ type: 'parameter_error', param: 'email' });
  });

  it('has one link that works: the newest, for an hour', async () => {
    const first = await linkTo(person.email);
    const second = await linkTo(person.email);
    expectInvalid(await reset(first), 'replaced');
    server.clock.advanceMs(HOUR_MS - 1);
    expect((await check(second)).body.valid).toBe(true);
    server.clock.advanceMs(1);
    expectInvalid(await reset(second), 'expired');
    expectInvalid(await reset(first), 'replaced');
    expectInvalid(await reset(GUESSED), 'not_found');
    expect((await check(GUESSED)).body.reason).toBe('not_found');
    server.clock.advanceMs(31 * 24 * HOUR_MS);
    await server.app.get(CleanupsJob).run();
    expectInvalid(await reset(second), 'not_found');
  });

  it('keeps its link when the new password is refused', async () => {
    const token = await linkTo(person.email);
    for (const password of ['short', 'a'.repeat(257), 'password1', 'TrustNo1', 7, undefined]) {
      const answer = await server.http.post('/auth/password/reset', { token, password }, elsewhere());
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([
        400,
        'parameter_error',
        'password',
      ]);
    }
    expect((await reset(token)).status).toBe(200);
  });

  it('accepts one of two requests with the same link at the same time', async () => {
    const token = await linkTo(person.email);
    const answers = await Promise.all([reset(token, `${NEW_PASSWORD} 1`), reset(token, `${NEW_PASSWORD} 2`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.reason).toBe('used');
  });

  it('lets an address that was stopped for wrong passwords in again', async () => {
    for (let n = 0; n < 10; n++) await signIn(server, person.email, `wrong password ${n}`);
    expect((await signIn(server, person.email, PASSWORD)).status).toBe(429);
    expect((await reset(await linkTo(person.email))).status).toBe(200);
    expect((await signIn(server, person.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('sends about three mails an hour; further requests look the same and send nothing', async () => {
    for (let n = 0; n < 3; n++) await linkTo(person.email);
    const last = tokenIn(`#${mailServer.lastLinkTo(person.email).hash.slice(1)}`);
    expect((await forgot(person.email)).status).toBe(200);
    await mailsQueued();
    expect(mailServer.mailsTo(person.email)).toHaveLength(3);
    expect((await check(last)).body.valid).toBe(true);
    server.clock.advanceMs(HOUR_MS);
    expect(await linkTo(person.email)).not.toBe(last);
  });

  it('limits requests to five in 15 minutes from one IP, for any addresses', async () => {
    const ip = elsewhere();
    for (let n = 0; n < 5; n++) expect((await forgot(`any${n}@example.com`, ip)).status).toBe(200);
    const stopped = await forgot('another@example.com', ip);
    expect([stopped.status, stopped.headers['retry-after'], stopped.body]).toEqual([
      429,
      '900',
      { type: 'rate_limit_error', retry_after: 900, message: 'Too many attempts. Try again later.' },
    ]);
    server.clock.advanceMs(15 * MINUTE_MS);
    expect((await forgot('another@example.com', ip)).status).toBe(200);
  });

  it('limits guesses of links to 60 a minute from one IP, over all routes that take one', async () => {
    const ip = elsewhere();
    const post = (path: string, body: object) =>
      server.http.post(path, { token: GUESSED, ...body }, ip).then(({ status }) => status);
    for (let n = 0; n < 15; n++) {
      expect(await post('/auth/password/check', {})).toBe(200);
      expect(await post('/auth/password/reset', { password: NEW_PASSWORD })).toBe(400);
      expect(await post('/auth/email/verify', {})).toBe(400);
      expect(await post('/auth/email/change/confirm', {})).toBe(400);
    }
    expect(await post('/auth/password/check', {})).toBe(429);
    expect(await post('/auth/password/reset', { password: NEW_PASSWORD })).toBe(429);
    expect(await post('/auth/email/verify', {})).toBe(429);
    expect(await post('/auth/email/change/confirm', {})).toBe(429);
    server.clock.advanceMs(MINUTE_MS);
    expect(await post('/auth/password/check', {})).toBe(200);
  });

  it('does not work with a link for another purpose', async () => {
    const { email, session } = person;
    const next = `new-${email}`;
    const link = await mailAfter(next, () =>
      session.post('/auth/email/change', { email: next, password: PASSWORD }),
    );
    expectInvalid(await reset(tokenIn(link)), 'not_found');
  });
});

describe('the change of a password', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.close());

  const change = (session: SignedUp['session'], current: unknown, password: unknown = NEW_PASSWORD) =>
    session.post('/auth/password/change', { current_password: current, password }, elsewhere());

  it('ends other sessions and open links, keeps this one, and sends a mail', async () => {
    const { email, session } = await signUp(server);
    const other = server.http.withCookie(sessionCookie(await signIn(server, email, PASSWORD)));
    const link = await mailAfter(email, () =>
      server.http.post('/auth/password/forgot', { email }, elsewhere()),
    );
    await mailAfter(email, async () => {
      const answer = await change(session, PASSWORD);
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    });
    expect(mailServer.lastMailTo(email).subject).toBe('Your password was changed');
    expect((await session.get('/auth/me')).status).toBe(200);
    expect((await other.get('/auth/me')).status).toBe(401);
    expect((await signIn(server, email, PASSWORD)).status).toBe(401);
    expect((await signIn(server, email, NEW_PASSWORD)).status).toBe(200);
    const late = await server.http.post(
      '/auth/password/reset',
      { token: tokenIn(link), password: PASSWORD },
      elsewhere(),
    );
    expectInvalid(late, 'replaced');
  });

  it('needs the current password; wrong ones count like failed sign-ins', async () => {
    const { email, session } = await signUp(server);
    for (let n = 0; n < 10; n++) {
      const answer = await change(session, `wrong password ${n}`);
      expect([answer.status, answer.body]).toEqual([
        400,
        { type: 'parameter_error', param: 'current_password', message: 'current_password is wrong.' },
      ]);
    }
    expect((await change(session, PASSWORD)).status).toBe(429);
    expect((await signIn(server, email, PASSWORD)).status).toBe(429);
    expect((await session.get('/auth/me')).status).toBe(200);
  });

  it('refuses bad new passwords and needs a session', async () => {
    const { session } = await signUp(server);
    for (const password of ['short', 'qwertyuiop', 'Password', null]) {
      const { status, body } = await change(session, PASSWORD, password);
      expect([status, body.param]).toEqual([400, 'password']);
    }
    expect((await change(session, undefined)).body.param).toBe('current_password');
    expect((await change(server.http, PASSWORD)).status).toBe(401);
  });

  it('happens once if two requests make it at the same time', async () => {
    const { session } = await signUp(server);
    const answers = await Promise.all([
      change(session, PASSWORD, `${NEW_PASSWORD} 1`),
      change(session, PASSWORD, `${NEW_PASSWORD} 2`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('the change of an email address', () => {
  let server: TestServer;
  let person: SignedUp;
  let next: string;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    person = await signUp(server);
    next = `new-${person.email}`;
  });

  const ask = (email = next, password = PASSWORD) =>
    person.session.post('/auth/email/change', { email, password }, elsewhere());
  const confirm = (token: string) => server.http.post('/auth/email/change/confirm', { token }, elsewhere());

  it('happens with the link at the new address, after a notice to the old one; sessions continue', async () => {
    const { email, session } = person;
    const notice = mailAfter(email, () => Promise.resolve());
    const link = await mailAfter(next, async () => {
      expect([(await ask(next.toUpperCase())).body]).toEqual([{ ok: true }]);
    });
    await notice;
    expect(mailServer.lastMailTo(email).text).toContain(next);
    expect(link).toMatch(/^\/change-email#token=[\w-]{43}$/);
    expect((await session.get('/auth/me')).body.user.email).toBe(email);
    expect((await signIn(server, next, PASSWORD)).status).toBe(401);

    const answer = await confirm(tokenIn(link));
    expect([answer.status, answer.body]).toEqual([200, { ok: true, email: next }]);
    expect((await session.get('/auth/me')).body.user).toMatchObject({ email: next, email_verified: true });
    expect((await signIn(server, next, PASSWORD)).status).toBe(200);
    expect((await signIn(server, email, PASSWORD)).status).toBe(401);
    expectInvalid(await confirm(tokenIn(link)), 'used');
    const { body } = await session.get(`/v2/projects/${person.projectId}/audit_logs`);
    expect(body.items).toContainEqual(
      expect.objectContaining({
        action_type: 'collaborator_email_changed',
        additional_data: { changed_fields: ['email'], changes: { email: { old: email, new: next } } },
      }),
    );
  });

  it('needs a code when two-factor is on', async () => {
    const app = await enableTwoFactor(server, person);
    const askWith = (code?: string) =>
      person.session.post('/auth/email/change', { email: next, password: PASSWORD, code }, elsewhere());
    for (const [code, type] of [
      [undefined, 'two_factor_required'],
      [app.code(), 'two_factor_invalid'],
    ] as const) {
      const answer = await askWith(code);
      expect([answer.status, answer.body.type]).toEqual([401, type]);
    }
    const link = await mailAfter(next, async () => {
      expect((await askWith(app.freshCode())).status).toBe(200);
    });
    expect((await confirm(tokenIn(link))).body).toEqual({ ok: true, email: next });
  });

  it('supports cancelling and replacing, and ends after 24 hours; the account shows the pending one', async () => {
    const waiting = async () => (await person.session.get('/auth/me')).body.email_change;
    expect(await waiting()).toBeNull();
    const first = tokenIn(await mailAfter(next, () => ask()));
    const other = `other-${next}`;
    const second = tokenIn(await mailAfter(other, () => ask(other)));
    expectInvalid(await confirm(first), 'replaced');
    expect(await waiting()).toEqual({ email: other, expires_at: server.clock.nowMs() + 24 * HOUR_MS });
    expect((await person.session.post('/auth/email/change/cancel')).body).toEqual({ ok: true });
    expect(await waiting()).toBeNull();
    expect((await person.session.post('/auth/email/change/cancel')).status).toBe(200);
    expectInvalid(await confirm(second), 'replaced');
    const third = tokenIn(await mailAfter(next, () => ask()));
    server.clock.advanceMs(24 * HOUR_MS);
    expectInvalid(await confirm(third), 'expired');
    expect(await waiting()).toBeNull();
    expect((await person.session.get('/auth/me')).body.user.email).toBe(person.email);
  });

  it('does not tell that an address has an account, and sends no link there', async () => {
    const taken = await signUp(server);
    const free = await ask();
    await mailAfter(person.email, async () => {
      const { status, body } = await ask(taken.email);
      expect([status, body]).toEqual([free.status, free.body]);
    });
    expect(mailServer.mailsTo(taken.email)).toEqual([]);
  });

  it('refuses an address that another account has taken meanwhile', async () => {
    const token = tokenIn(await mailAfter(next, () => ask()));
    await signUp(server, { email: next });
    const answer = await confirm(token);
    expect([answer.status, answer.body.type]).toEqual([409, 'resource_already_exists']);
    expect((await person.session.get('/auth/me')).body.user.email).toBe(person.email);
  });

  it('stops links to the old address, as a new password stops the change', async () => {
    const { email } = person;
    const reset = tokenIn(
      await mailAfter(email, () => server.http.post('/auth/password/forgot', { email }, elsewhere())),
    );
    const notice = mailAfter(email, () => Promise.resolve());
    const change = tokenIn(await mailAfter(next, () => ask()));
    // It goes to the address that the next link goes to.
    await notice;
    expect((await confirm(change)).status).toBe(200);
    const body = { token: reset, password: NEW_PASSWORD };
    expectInvalid(await server.http.post('/auth/password/reset', body, elsewhere()), 'replaced');

    const again = tokenIn(await mailAfter(email, () => ask(email)));
    const passwords = { current_password: PASSWORD, password: NEW_PASSWORD };
    expect((await person.session.post('/auth/password/change', passwords)).status).toBe(200);
    expectInvalid(await confirm(again), 'replaced');
  });

  it('needs the password, another valid address, and a session; five an hour', async () => {
    const param = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return [status, body.param];
    };
    expect(await param(ask(next, 'wrong password'))).toEqual([400, 'password']);
    expect(await param(ask(person.email))).toEqual([400, 'email']);
    expect(await param(ask('no address'))).toEqual([400, 'email']);
    const anonymous = { email: next, password: PASSWORD };
    expect((await server.http.post('/auth/email/change', anonymous)).status).toBe(401);
    expect((await server.http.post('/auth/email/change/cancel')).status).toBe(401);
    for (let n = 0; n < 5; n++) expect((await ask(`${n}${next}`)).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

describe('the hosted edition', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ SERVICE_EDITION: 'cloud' });
  });

  afterAll(async () => {
    mailServer.answerWith('accept');
    await server.close();
  });

  const verify = (token: string) => server.http.post('/auth/email/verify', { token }, elsewhere());
  let people = 0;
  const nextEmail = () => `hosted${++people}@example.com`;

  it('names itself, and new accounts confirm their address with a link that works once, for 24 hours', async () => {
    expect((await server.http.get('/auth/config')).body.edition).toBe('cloud');
    const email = nextEmail();
    let session = server.http;
    const link = await mailAfter(email, async () => {
      session = (await signUp(server, { email })).session;
    });
    expect(link).toMatch(/^\/verify-email#token=[\w-]{43}$/);
    const before = (await session.get('/auth/me')).body;
    expect(before.user.email_verified).toBe(false);
    expect(before.account).toMatchObject({ edition: 'cloud', email_verification_required: true });
    const answer = await verify(tokenIn(link));
    expect([answer.status, answer.body]).toEqual([200, { ok: true, email }]);
    const after = (await session.get('/auth/me')).body;
    expect([after.user.email_verified, after.account.email_verification_required]).toEqual([true, false]);
    expectInvalid(await verify(tokenIn(link)), 'used');
    const again = await session.post('/auth/email/verify/resend');
    expect([again.status, again.body]).toEqual([200, { ok: true, email, already_verified: true }]);
    expect(mailServer.mailsTo(email)).toHaveLength(1);
  });

  it('sends the link again, five times an hour, and the earlier ones stop working', async () => {
    const email = nextEmail();
    let session = server.http;
    const first = await mailAfter(email, async () => {
      session = (await signUp(server, { email })).session;
    });
    const resend = () => session.post('/auth/email/verify/resend');
    let last = '';
    for (let n = 0; n < 5; n++) {
      last = await mailAfter(email, async () => {
        expect((await resend()).body).toEqual({ ok: true, email });
      });
    }
    const stopped = await resend();
    expect([stopped.status, stopped.headers['retry-after']]).toEqual([429, '3600']);
    expectInvalid(await verify(tokenIn(first)), 'replaced');
    server.clock.advanceMs(24 * HOUR_MS);
    expectInvalid(await verify(tokenIn(last)), 'expired');
    expect((await server.http.post('/auth/email/verify/resend')).status).toBe(401);
  });

  it('says when the mail server refuses, without failing the sign-up', async () => {
    mailServer.answerWith({ at: 'RCPT TO', reply: '550 no such person' });
    const email = nextEmail();
    const { session } = await signUp(server, { email });
    const answer = await session.post('/auth/email/verify/resend');
    expect([answer.status, answer.body.type]).toEqual([502, 'mail_error']);
    mailServer.answerWith('accept');
    const link = await mailAfter(email, () => session.post('/auth/email/verify/resend'));
    expect((await verify(tokenIn(link))).status).toBe(200);
  });

  it('takes a reset by mail as the confirmation', async () => {
    const email = nextEmail();
    const link = await mailAfter(email, () => signUp(server, { email }));
    const reset = await mailAfter(email, () =>
      server.http.post('/auth/password/forgot', { email }, elsewhere()),
    );
    const body = { token: tokenIn(reset), password: NEW_PASSWORD };
    const answer = await server.http.post('/auth/password/reset', body, elsewhere());
    const me = await server.http.withCookie(sessionCookie(answer)).get('/auth/me');
    expect(me.body.user.email_verified).toBe(true);
    expectInvalid(await verify(tokenIn(link)), 'replaced');
  });

  it('takes no address without a dot, which others do', async () => {
    const local = { email: 'root@localhost', password: PASSWORD };
    const refused = await server.http.post('/auth/signup', local, elsewhere());
    expect([refused.status, refused.body.param]).toEqual([400, 'email']);
    const { session } = await signUp(server, { email: nextEmail() });
    const change = await session.post('/auth/email/change', local);
    expect([change.status, change.body.param]).toEqual([400, 'email']);
    const selfHosted = await startServer();
    const taken = await selfHosted.http.post('/auth/signup', local, elsewhere());
    expect(taken.status).toBe(201);
    const me = await selfHosted.http.withCookie(sessionCookie(taken)).get('/auth/me');
    expect(me.body.user.email_verified).toBe(true);
    expect(mailServer.mailsTo(local.email)).toEqual([]);
    await selfHosted.close();
  });
});
