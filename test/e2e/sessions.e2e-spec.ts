import { PASSWORD, sessionCookie, type SignedUp, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { enableTwoFactor, startSignIn } from '../support/two-factor.js';

const DAY_MS = 86_400_000;

describe('sessions', () => {
  let server: TestServer;
  let ada: SignedUp;

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
  });

  beforeEach(async () => {
    ada = await signUp(server);
  });

  afterAll(() => server.close());

  async function signIn({ email }: SignedUp, userAgent = 'Firefox') {
    server.clock.advanceMs(1000);
    const headers = { 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.7' };
    const answer = await server.http.post('/auth/login', { email, password: PASSWORD }, headers);
    const session = server.http.withCookie(sessionCookie(answer));
    const [{ id }] = (await session.get('/auth/sessions')).body.items;
    return { session, id: id as string };
  }

  const idsOf = async ({ session }: Pick<SignedUp, 'session'>): Promise<string[]> =>
    (await session.get('/auth/sessions')).body.items.map(({ id }: { id: string }) => id);
  const isOpen = async ({ session }: Pick<SignedUp, 'session'>): Promise<boolean> =>
    (await session.get('/auth/me')).status === 200;

  it('lists them, newest first, with where they began and which is in use', async () => {
    const startMs = server.clock.nowMs();
    await signUp(server);
    const other = await signIn(ada, 'curl/8');
    server.clock.advanceMs(61_000);
    const { body } = await other.session.get('/auth/sessions');
    expect(body).toEqual({
      object: 'list',
      url: '/auth/sessions',
      next_page: null,
      items: [
        {
          object: 'session',
          id: expect.stringMatching(/^ses_[0-9a-z]{16}$/),
          current: true,
          method: 'password',
          ip: '192.0.2.7',
          user_agent: 'curl/8',
          created_at: startMs + 1000,
          last_seen_at: startMs + 62_000,
          expires_at: startMs + 1000 + 30 * DAY_MS,
        },
        expect.objectContaining({ current: false, created_at: startMs, last_seen_at: startMs }),
      ],
    });
  });

  it('lists them page by page', async () => {
    const ids = [...(await idsOf(ada))];
    for (let n = 0; n < 4; n++) ids.unshift((await signIn(ada)).id);
    const walked: string[] = [];
    for (let path: string | null = '/auth/sessions?limit=2'; path !== null;) {
      const { body } = await ada.session.get(path);
      walked.push(...body.items.map(({ id }: { id: string }) => id));
      path = body.next_page as string | null;
    }
    expect(walked).toEqual(ids);
    const [bob] = await idsOf(await signUp(server));
    const wrong = await ada.session.get(`/auth/sessions?starting_after=${bob}`);
    expect([wrong.status, wrong.body.type, wrong.body.param]).toEqual([
      400,
      'parameter_error',
      'starting_after',
    ]);
  });

  it('leaves out expired ones', async () => {
    const [old = ''] = await idsOf(ada);
    server.clock.advanceMs(30 * DAY_MS - 1000);
    const late = await signIn(ada);
    expect(await idsOf(late)).toEqual([late.id]);
    expect((await late.session.delete(`/auth/sessions/${old}`)).status).toBe(404);
  });

  it('ends them one by one, only by their own person', async () => {
    const [phone, laptop] = [await signIn(ada), await signIn(ada)];
    const bob = await signUp(server);
    const stolen = await bob.session.delete(`/auth/sessions/${phone.id}`);
    expect([stolen.status, stolen.body]).toEqual([
      404,
      { type: 'resource_missing', message: `You have no session "${phone.id}".` },
    ]);
    expect(await isOpen(phone)).toBe(true);

    const ended = await laptop.session.delete(`/auth/sessions/${phone.id}`);
    expect([ended.status, ended.body]).toEqual([200, { ok: true }]);
    expect(ended.headers['set-cookie']).toBeUndefined();
    expect(await isOpen(phone)).toBe(false);
    expect((await laptop.session.delete(`/auth/sessions/${phone.id}`)).status).toBe(404);
    expect((await laptop.session.delete('/auth/sessions/x')).status).toBe(404);

    const own = await laptop.session.delete(`/auth/sessions/${laptop.id}`);
    expect(own.headers['set-cookie']).toEqual(['rd_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
    expect(await isOpen(laptop)).toBe(false);
    expect(await isOpen(ada)).toBe(true);
  });

  it('ends all but the current one, and sign-ins that wait for a code', async () => {
    const [phone, laptop] = [await signIn(ada), await signIn(ada)];
    const bob = await signUp(server);
    const revoked = await laptop.session.post('/auth/sessions/revoke_others');
    expect([revoked.status, revoked.body]).toEqual([200, { ok: true }]);
    expect([await isOpen(ada), await isOpen(phone), await isOpen(laptop)]).toEqual([false, false, true]);
    expect(await isOpen(bob)).toBe(true);

    const app = await enableTwoFactor(server, bob);
    const waiting = await startSignIn(server, bob);
    await bob.session.post('/auth/sessions/revoke_others');
    const late = { login_token: waiting, code: app.freshCode() };
    expect((await server.http.post('/auth/login/2fa', late)).body.type).toBe('authentication_error');
  });

  it('ends sessions started by a server of version 0.1.0', async () => {
    await server.dataSource.query(
      `INSERT INTO sessions (token_hash, user_id, method, created_at, last_seen_at, expires_at)
       SELECT sha256('old'), id, 'password', $2, $2, $2::timestamptz + interval '1 day' FROM users WHERE email = $1`,
      [ada.email, new Date(server.clock.nowMs() + 1)],
    );
    const old = server.http.withCookie('rd_session=old');
    const [id = ''] = await idsOf({ session: old });
    expect(id).toMatch(/^ses_[0-9a-f]{16}$/);
    expect((await ada.session.delete(`/auth/sessions/${id}`)).status).toBe(200);
    expect(await isOpen({ session: old })).toBe(false);
  });

  it('refuses to end them from another site, or without one', async () => {
    const [id = ''] = await idsOf(ada);
    const elsewhere = ada.session.with({ 'sec-fetch-site': 'cross-site' });
    expect((await elsewhere.delete(`/auth/sessions/${id}`)).body.type).toBe('csrf_failed');
    expect((await elsewhere.post('/auth/sessions/revoke_others')).body.type).toBe('csrf_failed');
    expect((await server.http.get('/auth/sessions')).status).toBe(401);
    expect((await server.http.delete(`/auth/sessions/${id}`)).status).toBe(401);
    expect(await isOpen(ada)).toBe(true);
  });
});
