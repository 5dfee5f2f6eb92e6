import { createHash, hkdfSync } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { PASSWORD, signUp } from '../support/arrange.js';
import {
  addProvider,
  claimsOf,
  signedIn,
  type SignedInCustomer,
  signInAnonymously,
  turnSignInOn,
} from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { ageReplacedTokens } from '../support/replaced-tokens.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PUBLIC_URL = 'https://tenure.example';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('customers who sign in', () => {
  let server: TestServer;
  let replica: TestServer;
  let store: TestStore;
  let google: IdentityProvider;
  let providerId: string;

  beforeAll(async () => {
    const env = {
      SERVICE_ALLOW_SIGNUP: 'true',
      SERVICE_TRUST_PROXY: 'true',
      SERVICE_PUBLIC_URL: PUBLIC_URL,
    };
    server = await startTestServer({ env });
    replica = await startTestServer({ env, databaseUrl: server.databaseUrl, clock: server.clock });
    store = await createTestStore(server);
    await turnSignInOn(server, store.projectId);
    google = await IdentityProvider.start(server.clock);
    providerId = await addProvider(server, store.projectId, google, { audiences: ['web'] });
  });

  afterAll(async () => {
    await google.stop();
    await replica.close();
    await server.close();
  });

  // The limits are those of a minute.
  beforeEach(() => server.clock.advanceMs(MINUTE_MS));

  let count = 0;
  const person = (): string => `person-${++count}`;
  const idToken = (sub: string, more: object = {}): Promise<string> =>
    google.idToken({ sub, aud: 'web', ...more });
  const login = async (sub: string, more: object = {}, client = store.sdk): Promise<Answer> =>
    client.post('/v1/auth/login', { method: 'oidc', id_token: await idToken(sub), ...more });
  const signIn = async (sub: string, more: object = {}): Promise<SignedInCustomer> =>
    signedIn(server, await login(sub, more));
  const refresh = (token: string, client = store.sdk): Promise<Answer> =>
    client.post('/v1/auth/token', { grant_type: 'refresh_token', refresh_token: token });
  const revoke = (token: string, client = store.sdk): Promise<Answer> =>
    client.post('/v1/auth/revoke', { token });
  const statusOf = async (client: ApiClient): Promise<number> => (await client.get('/v1/customer')).status;
  const onReplica = ({ tokens }: SignedInCustomer): ApiClient => replica.http.withKey(tokens.access_token);
  const info = async (id: string): Promise<Json> =>
    (await store.sdk.get(`/v1/subscribers/${encodeURIComponent(id)}`)).body.subscriber;
  const buy = (id: string): Promise<Answer> =>
    store.sdk.post('/v1/receipts', {
      app_user_id: id,
      fetch_token: `test_${server.clock.nowMs()}_sign-in-${++count}`,
      product_id: 'pro_monthly',
    });
  const setSettings = (enabled: boolean, allowAnonymous: boolean): Promise<void> =>
    turnSignInOn(server, store.projectId, { enabled, allowAnonymous });
  const expectRefused = (answer: Answer, status: number, code: number): void =>
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  /** A replica learns of changes through notifications, which arrive late on a busy machine. */
  const until = async (check: () => Promise<boolean>): Promise<void> => {
    while (!(await check()));
  };

  describe('the tokens', () => {
    it('identifies one customer of one app, in the form that SDKs expect', async () => {
      const answer = await login('claims');
      expect(answer.headers['cache-control']).toBe('no-store');
      const { access_token: access, refresh_token: refreshToken, id_token: id, ...rest } = answer.body;
      expect(rest).toEqual({ scope: 'openid offline_access', expires_in: 3600, token_type: 'Bearer' });
      expect(refreshToken).toMatch(/^rdrf_[0-9a-f]{64}$/);
      const iat = Math.floor(server.clock.nowMs() / 1000);
      const common = {
        iss: PUBLIC_URL,
        sub: 'claims',
        'rc.app_user_id': 'claims',
        aud: store.appId,
        iat,
        exp: iat + 3600,
        sid: expect.stringMatching(/^cses_/),
        gen: 1,
        amr: ['oidc'],
      };
      expect(claimsOf(access)).toEqual({
        ...common,
        jti: expect.stringMatching(/^at_/),
        client_id: store.appId,
        scope: 'openid offline_access',
      });
      expect(claimsOf(id)).toEqual({ ...common, auth_time: iat });
    });

    it.each([
      ['google', 'google'],
      ['apple', 'signInWithApple'],
      ['facebook', 'facebook'],
    ])('names the sign-in method as SDKs do: %s', async (method, amr) => {
      const { tokens } = await signIn(person(), { method });
      expect([claimsOf(tokens.access_token).amr, claimsOf(tokens.id_token).amr]).toEqual([[amr], [amr]]);
    });

    it('verifies with the published key, which is derived from the encryption key', async () => {
      const { tokens } = await signIn(person());
      const published = await server.http.get('/.well-known/jwks.json');
      expect(published.headers['cache-control']).toBe('public, max-age=300');
      const [key] = published.body.keys;
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
      const rawKey = Buffer.from(key.x, 'base64url');
      expect(key.kid).toBe(createHash('sha256').update(rawKey).digest('hex').slice(0, 16));
      const verified = await jwtVerify(tokens.id_token, createLocalJWKSet(published.body), {
        issuer: PUBLIC_URL,
        audience: store.appId,
        algorithms: ['EdDSA'],
        currentDate: new Date(server.clock.nowMs()),
      });
      expect(verified.protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: key.kid });
      const access = await jwtVerify(tokens.access_token, createLocalJWKSet(published.body), {
        typ: 'at+jwt',
        currentDate: new Date(server.clock.nowMs()),
      });
      expect(access.protectedHeader.kid).toBe(key.kid);
    });

    it('stores only hashes in the database', async () => {
      const { tokens } = await signIn(person());
      const rows = await server.dataSource.query('SELECT s::text AS row FROM customer_sessions s');
      const secret = tokens.refresh_token.slice('rdrf_'.length);
      const dump = JSON.stringify(rows);
      for (const part of [secret, secret.slice(0, 32), secret.slice(32)]) expect(dump).not.toContain(part);
    });
  });

  describe('a login', () => {
    it.each([
      ['no body', undefined],
      ['another method', { method: 'password' }],
      ['an email address and password', { email: 'ada@example.com', password: PASSWORD }],
      ['no ID token', { method: 'oidc' }],
      ['an empty ID token', { method: 'oidc', id_token: '' }],
      ['an ID token that is a number', { method: 'oidc', id_token: 1 }],
      ['link_to_id that is an object', { method: 'anonymous', link_to_id: {} }],
    ])('answers 400 with %s', async (_, body) => {
      for (const path of ['/v1/auth/login', '/auth/login']) {
        const answer = await store.sdk.post(path, body);
        expectRefused(answer, 400, 7226);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    it('takes the public key of an app and nothing else', async () => {
      const { client } = await signInAnonymously(server, store);
      for (const path of [
        '/v1/auth/login',
        '/v1/auth/token',
        '/v1/auth/revoke',
        '/auth/token',
        '/auth/revoke',
      ]) {
        expectRefused(await server.http.post(path, {}), 401, 7225);
        expectRefused(await server.http.withKey('test_unknown').post(path, {}), 401, 7225);
        expectRefused(await store.backend.post(path, {}), 403, 7225);
        expectRefused(await client.post(path, {}), 403, 7225);
      }
    });

    it.each([
      ['is not a token', 'no token'],
      ['is too large', 'a'.repeat(16_385)],
    ])('answers 401 for an ID token %s', async (_, text) => {
      expectRefused(await store.sdk.post('/v1/auth/login', { method: 'oidc', id_token: text }), 401, 7224);
    });

    it('refuses an ID token that is expired, for others, of another kind or issuer', async () => {
      const nowS = Math.floor(server.clock.nowMs() / 1000);
      const post = async (more: object, method = 'oidc'): Promise<Answer> =>
        store.sdk.post('/v1/auth/login', { method, id_token: await idToken(person(), more) });
      expectRefused(await post({ exp: nowS - 60 }), 401, 7224);
      expect((await post({ exp: nowS - 59 })).status).toBe(200);
      expectRefused(await post({ aud: 'another audience' }), 401, 7224);
      expectRefused(await post({}, 'firebase'), 403, 7224);
      expectRefused(await post({ iss: 'https://another.example' }), 403, 7224);
    });

    it('needs sign-in, and anonymous sign-in, to be turned on', async () => {
      await setSettings(true, false);
      expectRefused(await store.sdk.post('/v1/auth/login', { method: 'anonymous' }), 403, 7224);
      await setSettings(false, true);
      expectRefused(await store.sdk.post('/v1/auth/login', { method: 'anonymous' }), 403, 7224);
      expectRefused(await login(person()), 403, 7224);
      await setSettings(true, true);
      expect((await login(person())).status).toBe(200);
    });

    it('checks Firebase tokens of the project', async () => {
      const issuer = 'https://securetoken.google.com/demo-1';
      const firebase = await IdentityProvider.start(server.clock);
      const own = await startTestServer({
        env: { SERVICE_TEST_STORES: 'true', SERVICE_FIREBASE_JWKS_URL: firebase.jwksUrl },
      });
      try {
        const ownStore = await createTestStore(own);
        await turnSignInOn(own, ownStore.projectId);
        await addProvider(own, ownStore.projectId, { issuer }, { kind: 'firebase', audiences: ['demo-1'] });
        const nowS = Math.floor(own.clock.nowMs() / 1000);
        const times = { iat: nowS, nbf: nowS, exp: nowS + 3600, auth_time: nowS };
        const token = await firebase.idToken({ iss: issuer, aud: 'demo-1', sub: 'uid-1', ...times });
        const body = { method: 'firebase', id_token: token };
        const { tokens, appUserId, client } = signedIn(own, await ownStore.sdk.post('/auth/login', body));
        expect([appUserId, claimsOf(tokens.id_token).amr]).toEqual(['uid-1', ['firebase']]);
        // Without a public address, tokens name the one that the client used.
        expect(claimsOf(tokens.access_token).iss).toBe(own.baseUrl);
        expect((await client.get('/v1/customer')).status).toBe(200);
        const elsewhere = await client.get('/v1/customer', { host: 'elsewhere.example' });
        expectRefused(elsewhere, 401, 7224);
      } finally {
        await own.close();
        await firebase.stop();
      }
    });

    it('makes the customer once, however many devices come at once, and counts them', async () => {
      const sub = person();
      const answers = await Promise.all(Array.from({ length: 4 }, () => login(sub)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const rows = await server.dataSource.query(
        'SELECT app_user_id, logins FROM auth_identities WHERE subject = $1',
        [sub],
      );
      expect(rows).toEqual([{ app_user_id: sub, logins: 4 }]);
      expect((await store.backend.get(`${store.path}/customers/${sub}`)).status).toBe(200);
    });

    it('keeps the app user id of the first one, whatever the mapping says now', async () => {
      const sub = person();
      await signIn(sub);
      await server.dataSource.query(`UPDATE auth_providers SET app_user_id_prefix = 'new-' WHERE id = $1`, [
        providerId,
      ]);
      expect((await signIn(sub)).appUserId).toBe(sub);
      const other = person();
      expect((await signIn(other)).appUserId).toBe(`new-${other}`);
      await server.dataSource.query(`UPDATE auth_providers SET app_user_id_prefix = '' WHERE id = $1`, [
        providerId,
      ]);
    });

    it('signs in the customer by an alias', async () => {
      const [anonymous, sub] = [`$RCAnonymousID:${'0'.repeat(31)}1`, person()];
      await buy(anonymous);
      await store.sdk.post('/v1/subscribers/identify', { app_user_id: anonymous, new_app_user_id: sub });
      const { client } = await signIn(sub);
      const { subscriber } = (await client.get('/v1/customer')).body;
      expect([subscriber.original_app_user_id, Object.keys(subscriber.entitlements)]).toEqual([
        anonymous,
        ['pro'],
      ]);
    });
  });

  describe('link_to_id', () => {
    const entitlementsOf = async ({ client }: SignedInCustomer): Promise<string[]> =>
      Object.keys((await client.get('/v1/customer')).body.subscriber.entitlements);

    it.each(['ID token', 'app user id'])(
      'takes the purchases of an anonymous customer along, by %s',
      async (by) => {
        const anonymous = await signInAnonymously(server, store);
        await buy(anonymous.appUserId);
        // SDKs keep old ID tokens.
        server.clock.advanceMs(DAY_MS);
        const link = by === 'ID token' ? anonymous.tokens.id_token : anonymous.appUserId;
        const sub = person();
        const customer = await signIn(sub, { link_to_id: link });
        expect([customer.appUserId, await entitlementsOf(customer)]).toEqual([sub, ['pro']]);
        // Once more changes nothing.
        expect(await entitlementsOf(await signIn(sub, { link_to_id: link }))).toEqual(['pro']);
      },
    );

    it('merges into a customer who is known already', async () => {
      const sub = person();
      await info(sub);
      const anonymous = await signInAnonymously(server, store);
      await buy(anonymous.appUserId);
      const customer = await signIn(sub, { link_to_id: anonymous.tokens.id_token });
      expect(await entitlementsOf(customer)).toEqual(['pro']);
      expect((await info(anonymous.appUserId)).original_app_user_id).toBe(sub);
    });

    it('ignores anything else', async () => {
      const identified = await signIn(person());
      await buy(identified.appUserId);
      const ended = await signInAnonymously(server, store);
      await buy(ended.appUserId);
      await revoke(ended.tokens.refresh_token);
      const live = await signInAnonymously(server, store);
      await buy(live.appUserId);
      const unknown = `$RCAnonymousID:${'f'.repeat(32)}`;
      const [head, , signature] = live.tokens.id_token.split('.');
      const forged = Buffer.from(JSON.stringify(claimsOf(live.tokens.id_token))).toString('base64url');
      for (const link of [
        identified.appUserId,
        identified.tokens.id_token,
        ended.tokens.id_token,
        live.tokens.access_token,
        `${head}.${forged.slice(0, -2)}.${signature}`,
        unknown,
        '',
        'x'.repeat(101),
        null,
      ]) {
        const customer = await signIn(person(), { link_to_id: link });
        expect([link, await entitlementsOf(customer)]).toEqual([link, []]);
      }
      const known = await server.dataSource.query('SELECT 1 FROM customer_aliases WHERE app_user_id = $1', [
        unknown,
      ]);
      expect(known).toEqual([]);
    });

    it('never gives an anonymous login the id of another', async () => {
      const { appUserId } = await signInAnonymously(server, store);
      const body = { method: 'anonymous', link_to_id: appUserId };
      const other = signedIn(server, await store.sdk.post('/v1/auth/login', body));
      expect(other.appUserId).not.toBe(appUserId);
      const claims = claimsOf(other.tokens.id_token);
      expect([claims.amr, claims['rc.app_user_id']]).toEqual([['anonymous'], other.appUserId]);
    });
  });

  describe('a session', () => {
    it('continues with a new refresh token; older access tokens live to their end', async () => {
      const customer = await signIn(person());
      const signedInAt = claimsOf(customer.tokens.id_token).auth_time;
      server.clock.advanceMs(10 * MINUTE_MS);
      const renewed = await refresh(customer.tokens.refresh_token);
      const next = signedIn(server, renewed);
      expect(next.tokens.refresh_token).not.toBe(customer.tokens.refresh_token);
      const claims = claimsOf(next.tokens.id_token);
      expect([claims.auth_time, claims.iat - signedInAt]).toEqual([signedInAt, 600]);
      expect(claims.sid).toBe(claimsOf(customer.tokens.id_token).sid);
      expect([await statusOf(customer.client), await statusOf(next.client)]).toEqual([200, 200]);
    });

    it('ends when a token is used again more than a minute after its successor was used', async () => {
      const customer = await signIn(person());
      const first = customer.tokens.refresh_token;
      const second = (await refresh(first)).body.refresh_token;
      const third = signedIn(server, await refresh(second));
      expect(await statusOf(third.client)).toBe(200);
      await ageReplacedTokens(server, MINUTE_MS + 1);
      expectRefused(await refresh(second), 401, 7224);
      expectRefused(await refresh(third.tokens.refresh_token), 401, 7224);
      expect([await statusOf(customer.client), await statusOf(third.client)]).toEqual([401, 401]);
    });

    it('answers a request repeated within a minute with the same refresh token', async () => {
      const customer = await signIn(person());
      const first = customer.tokens.refresh_token;
      const next = signedIn(server, await refresh(first));
      expect(await statusOf(next.client)).toBe(200);
      await ageReplacedTokens(server, MINUTE_MS - 5000);
      const again = signedIn(server, await refresh(first));
      expect(again.tokens.refresh_token).toBe(next.tokens.refresh_token);
      expect(again.tokens.access_token).not.toBe(next.tokens.access_token);
      expect([await statusOf(again.client), await statusOf(next.client)]).toEqual([200, 200]);
      expect([next, again].map(({ tokens }) => claimsOf(tokens.access_token).gen)).toEqual([2, 2]);
    });

    it('measures that minute by the clock of the database, not by those of its processes', async () => {
      const customer = await signIn(person());
      const first = customer.tokens.refresh_token;
      const next = signedIn(server, await refresh(first));
      expect(await statusOf(next.client)).toBe(200);
      server.clock.advanceMs(10 * MINUTE_MS);
      const again = await refresh(first);
      expect([again.status, again.body.refresh_token]).toEqual([200, next.tokens.refresh_token]);
    });

    it('answers with the newest token after several replacements within a minute', async () => {
      const { tokens } = await signIn(person());
      let newest = tokens.refresh_token;
      for (let steps = 1; steps <= 5; steps++) {
        newest = (await refresh(newest)).body.refresh_token;
        expect((await refresh(tokens.refresh_token)).body.refresh_token).toBe(newest);
      }
      newest = (await refresh(newest)).body.refresh_token;
      expectRefused(await refresh(tokens.refresh_token), 401, 7224);
      expectRefused(await refresh(newest), 401, 7224);
    });

    it('survives ten lost answers in a row, however long they take', async () => {
      const { tokens } = await signInAnonymously(server, store);
      const lost = (await refresh(tokens.refresh_token)).body.refresh_token;
      for (let times = 0; times < 10; times++) {
        server.clock.advanceMs(2 * DAY_MS);
        await ageReplacedTokens(server, 2 * DAY_MS);
        const again = await refresh(tokens.refresh_token);
        expect([again.status, again.body.refresh_token]).toEqual([200, lost]);
      }
      const next = signedIn(server, await refresh(lost));
      expect(await statusOf(next.client)).toBe(200);
    });

    it('answers fifty equal requests at once on two replicas with one refresh token', async () => {
      const { tokens } = await signIn(person());
      const clients = [store.sdk, replica.http.withKey(store.publicKey)];
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          refresh(
            tokens.refresh_token,
            (clients[index % 2] ?? store.sdk).with({ 'x-forwarded-for': `203.0.113.${index}` }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      const accessTokens = answers.map(({ body }) => body.access_token);
      expect(new Set(accessTokens).size).toBe(50);
      expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200);
    });

    it('answers at most 20 repetitions an hour, and ends nothing beyond them', async () => {
      const { tokens } = await signIn(person());
      const next = (await refresh(tokens.refresh_token)).body.refresh_token;
      await ageReplacedTokens(server, 10_000);
      for (let times = 0; times < 20; times++) {
        expect((await refresh(tokens.refresh_token)).status).toBe(200);
      }
      const refused = await refresh(tokens.refresh_token);
      expectRefused(refused, 429, 7110);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
      expect((await refresh(next)).status).toBe(200);
    });

    it('survives a replaced token past its own 30 days', async () => {
      const { tokens } = await signIn(person());
      let newest = tokens.refresh_token;
      for (let weeks = 0; weeks < 5; weeks++) {
        server.clock.advanceMs(7 * DAY_MS);
        await ageReplacedTokens(server, 7 * DAY_MS);
        newest = (await refresh(newest)).body.refresh_token;
      }
      expectRefused(await refresh(tokens.refresh_token), 401, 7224);
      expect((await refresh(newest)).status).toBe(200);
    });

    it('does not store a successor in a form that the server can read', async () => {
      const { tokens } = await signIn(person());
      const next = (await refresh(tokens.refresh_token)).body.refresh_token;
      const rows = JSON.stringify(
        await server.dataSource.query('SELECT sealed_successor FROM replaced_customer_tokens'),
      );
      expect(rows).toContain('v1.');
      expect(rows).not.toContain(next.slice(-32));
    });

    it.each(['current', 'replaced'])(
      'ends by revoking its %s refresh token, with all access tokens',
      async (which) => {
        const customer = await signIn(person());
        const next = signedIn(server, await refresh(customer.tokens.refresh_token));
        expect([await statusOf(customer.client), await statusOf(next.client)]).toEqual([200, 200]);
        const { refresh_token: token } = which === 'current' ? next.tokens : customer.tokens;
        const body = { token, token_type_hint: 'access_token' };
        const answer = await store.sdk.post('/v1/auth/revoke', body);
        expect([answer.status, answer.body]).toEqual([200, {}]);
        expect([await statusOf(customer.client), await statusOf(next.client)]).toEqual([401, 401]);
        expectRefused(await refresh(next.tokens.refresh_token), 401, 7224);
      },
    );

    it('continues without an access token that is revoked', async () => {
      const customer = await signIn(person());
      const next = signedIn(server, await refresh(customer.tokens.refresh_token));
      expect([await statusOf(customer.client), await statusOf(next.client)]).toEqual([200, 200]);
      expect((await revoke(customer.tokens.access_token)).status).toBe(200);
      expect([await statusOf(customer.client), await statusOf(next.client)]).toEqual([401, 200]);
      expect((await refresh(next.tokens.refresh_token)).status).toBe(200);
    });

    it('survives unknown and malformed tokens, and those of another app', async () => {
      const customer = await signIn(person());
      const app = { name: 'Other', type: 'test_store' };
      const { id } = (await store.backend.post(`${store.path}/apps`, app)).body;
      const keys = await store.backend.get(`${store.path}/apps/${id}/public_api_keys`);
      const otherApp = server.http.withKey(keys.body.items[0].key);
      const { tokens } = customer;
      for (const token of [`rdrf_${'0'.repeat(64)}`, 'rdrf_', 'x', 'a.b.c', tokens.id_token]) {
        expect((await revoke(token)).body).toEqual({});
        expectRefused(await refresh(token), 401, 7224);
      }
      expectRefused(await refresh(tokens.refresh_token, otherApp), 401, 7224);
      for (const token of [tokens.refresh_token, tokens.access_token]) {
        expect((await revoke(token, otherApp)).status).toBe(200);
      }
      expect(await statusOf(customer.client)).toBe(200);
      expect((await refresh(tokens.refresh_token)).status).toBe(200);
    });

    it.each([
      ['/v1/auth/token', { grant_type: 'password', refresh_token: 'x' }],
      ['/v1/auth/token', { grant_type: 'refresh_token' }],
      ['/v1/auth/revoke', {}],
      ['/v1/auth/revoke', { token: 1 }],
    ])('keeps to the forms of the calls: %s with %j answers 400', async (path, body) => {
      expectRefused(await store.sdk.post(path, body), 400, 7226);
      expectRefused(await store.sdk.post(path.replace('/v1', ''), body), 400, 7226);
    });

    it('refuses a refresh while sign-in, its provider or anonymous sign-in is off; access tokens live on', async () => {
      const named = await signIn(person());
      const anonymous = await signInAnonymously(server, store);
      const expectPaused = async ({ client, tokens }: SignedInCustomer): Promise<void> => {
        expectRefused(await refresh(tokens.refresh_token), 401, 7224);
        expect(await statusOf(client)).toBe(200);
      };
      const setProvider = (enabled: boolean) =>
        server.dataSource.query('UPDATE auth_providers SET enabled = $2 WHERE id = $1', [
          providerId,
          enabled,
        ]);
      await setSettings(false, true);
      await expectPaused(named);
      await expectPaused(anonymous);
      await setSettings(true, false);
      await expectPaused(anonymous);
      await setSettings(true, true);
      await setProvider(false);
      await expectPaused(named);
      expectRefused(await login(person()), 403, 7224);
      await setProvider(true);
      expect((await refresh(named.tokens.refresh_token)).status).toBe(200);
      expect((await refresh(anonymous.tokens.refresh_token)).status).toBe(200);
    });

    it('expires after 30 days without a refresh, to the millisecond', async () => {
      const [late, punctual] = [await signIn(person()), await signIn(person())];
      server.clock.advanceMs(30 * DAY_MS - 1);
      const next = await refresh(punctual.tokens.refresh_token);
      expect(next.status).toBe(200);
      server.clock.advanceMs(1);
      expectRefused(await refresh(late.tokens.refresh_token), 401, 7224);
      server.clock.advanceMs(30 * DAY_MS - 2);
      expect((await refresh(next.body.refresh_token)).status).toBe(200);
    });

    it('ends when its customer is deleted, also after a merge', async () => {
      const anonymous = await signInAnonymously(server, store);
      const customer = await signIn(person(), { link_to_id: anonymous.tokens.id_token });
      expect([await statusOf(anonymous.client), await statusOf(customer.client)]).toEqual([200, 200]);
      const path = `${store.path}/customers/${encodeURIComponent(customer.appUserId)}`;
      expect((await store.backend.delete(path)).status).toBe(200);
      expect([await statusOf(anonymous.client), await statusOf(customer.client)]).toEqual([401, 401]);
      expectRefused(await refresh(customer.tokens.refresh_token), 401, 7224);
    });

    it('ends when its app, or its project, is deleted', async () => {
      const other = await createTestStore(server);
      await turnSignInOn(server, other.projectId);
      const app = { name: 'Second', type: 'test_store' };
      const { id } = (await other.backend.post(`${other.path}/apps`, app)).body;
      const keys = await other.backend.get(`${other.path}/apps/${id}/public_api_keys`);
      const second = await signInAnonymously(server, { sdk: server.http.withKey(keys.body.items[0].key) });
      const first = await signInAnonymously(server, other);
      expect([await statusOf(first.client), await statusOf(second.client)]).toEqual([200, 200]);
      expect((await other.backend.delete(`${other.path}/apps/${id}`)).status).toBe(200);
      expect([await statusOf(first.client), await statusOf(second.client)]).toEqual([200, 401]);
      expect((await other.session.delete(other.path)).status).toBe(200);
      expect(await statusOf(first.client)).toBe(401);
    });

    it('leaves no row behind when it has expired', async () => {
      const { tokens } = await signIn(person());
      await revoke(tokens.access_token);
      const rows = async (): Promise<number[]> => {
        const [counts] = await server.dataSource.query(
          `SELECT (SELECT count(*)::int FROM customer_sessions WHERE project_id = $1) AS sessions,
             (SELECT count(*)::int FROM revoked_access_tokens WHERE project_id = $1) AS tokens`,
          [store.projectId],
        );
        return [counts.sessions > 0 ? 1 : 0, counts.tokens];
      };
      const prune = () => server.app.get(CleanupsJob).run();
      await prune();
      expect(await rows()).toEqual([1, 1]);
      server.clock.advanceMs(3600_000);
      await prune();
      expect(await rows()).toEqual([1, 0]);
      server.clock.advanceMs(30 * DAY_MS);
      await prune();
      expect(await rows()).toEqual([0, 0]);
    });
  });

  describe('an access token', () => {
    it('stays valid to the second before its end, even if verified earlier', async () => {
      const { client, tokens } = await signIn(person());
      expect(await statusOf(client)).toBe(200);
      const endMs = claimsOf(tokens.access_token).exp * 1000;
      server.clock.advanceMs(endMs - server.clock.nowMs() - 1);
      expect(await statusOf(client)).toBe(200);
      server.clock.advanceMs(1);
      expectRefused(await client.get('/v1/customer'), 401, 7224);
    });

    it('refuses an ID token, a refresh token, or one of another signer, type or algorithm', async () => {
      const { tokens } = await signIn(person());
      const claims = claimsOf(tokens.access_token);
      const encryptionKey = Buffer.alloc(32, 1);
      const seed = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'service/customer-tokens/v1', 32));
      const [head, payload, signature] = tokens.access_token.split('.');
      const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
      const hmac = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(seed);
      const stolen = Buffer.from(JSON.stringify({ ...claims, 'rc.app_user_id': 'victim' })).toString(
        'base64url',
      );
      for (const token of [
        tokens.id_token,
        tokens.refresh_token,
        hmac,
        `${none}.${payload}.`,
        `${head}.${stolen}.${signature}`,
        `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        `${head}.${payload}.${signature}.x`,
      ]) {
        expectRefused(await server.http.withKey(token).get('/v1/customer'), 401, 7224);
      }
      expect(await statusOf(server.http.withKey(tokens.access_token))).toBe(200);
    });

    it('stops working on every replica once revoked', async () => {
      const [byRefresh, byItself] = [await signIn(person()), await signIn(person())];
      for (const customer of [byRefresh, byItself]) {
        expect([await statusOf(customer.client), await statusOf(onReplica(customer))]).toEqual([200, 200]);
      }
      await revoke(byRefresh.tokens.refresh_token);
      await revoke(byItself.tokens.access_token);
      for (const customer of [byRefresh, byItself]) {
        expect(await statusOf(customer.client)).toBe(401);
        await until(async () => (await statusOf(onReplica(customer))) === 401);
      }
    });

    it('records its use at most once a minute', async () => {
      const { client, tokens } = await signIn(person());
      const { sid } = claimsOf(tokens.access_token);
      const lastUsedMs = async (): Promise<number> => {
        const [row] = await server.dataSource.query(
          'SELECT last_used_at FROM customer_sessions WHERE id = $1',
          [sid],
        );
        return row.last_used_at.getTime();
      };
      const startMs = await lastUsedMs();
      await statusOf(client);
      server.clock.advanceMs(30_000);
      await statusOf(client);
      expect(await lastUsedMs()).toBe(startMs);
      server.clock.advanceMs(31_000);
      await statusOf(client);
      await until(async () => (await lastUsedMs()) === startMs + 61_000);
    });
  });

  describe('the path that the dashboard shares', () => {
    it("counts as a customer's login if it has an Authorization header, whatever the cookie", async () => {
      const { email, cookie } = await signUp(server);
      const both = store.sdk.withCookie(cookie);
      const answer = await both.post('/auth/login', { method: 'anonymous' });
      expect(answer.body.token_type).toBe('Bearer');
      expect(answer.headers['set-cookie']).toBeUndefined();
      for (const authorization of ['', 'x', 'Basic eDp5', `Bearer ${store.publicKey}`]) {
        const refused = await server.http.post(
          '/auth/login',
          { email, password: PASSWORD },
          { authorization },
        );
        expect([refused.status >= 400, typeof refused.body.code]).toEqual([true, 'number']);
        expect(refused.headers['set-cookie']).toBeUndefined();
      }
      const dashboard = await server.http.post('/auth/login', { email, password: PASSWORD });
      expect([dashboard.status, dashboard.headers['set-cookie'] !== undefined]).toEqual([200, true]);
    });

    it('lets other origins in only as SDKs', async () => {
      const preflight = async (path: string, asked?: string): Promise<Response> =>
        fetch(server.baseUrl + path, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://app.example',
            'access-control-request-method': 'POST',
            ...(asked && { 'access-control-request-headers': asked }),
          },
        });
      const allowed = ({ headers }: Response): (string | null)[] => [
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
      ];
      for (const path of ['/v1/auth/login', '/v1/auth/token', '/v1/auth/revoke', '/v1/customer']) {
        expect([path, allowed(await preflight(path, 'content-type'))]).toEqual([path, ['*', null]]);
      }
      for (const path of ['/auth/login', '/auth/token', '/auth/revoke']) {
        const sdk = await preflight(path, 'content-type, Authorization');
        expect([path, sdk.status, allowed(sdk)]).toEqual([path, 204, ['*', null]]);
        expect([path, allowed(await preflight(path, 'content-type'))]).toEqual([path, [null, null]]);
        expect([path, allowed(await preflight(path))]).toEqual([path, [null, null]]);
      }
      for (const path of ['/auth/me', '/auth/signup', '/auth/logout']) {
        expect([path, allowed(await preflight(path, 'authorization'))]).toEqual([path, [null, null]]);
      }
      const sdk = await store.sdk.post('/auth/login', {});
      const dashboard = await server.http.post('/auth/login', {});
      expect(sdk.headers['access-control-allow-origin']).toBe('*');
      expect(dashboard.headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('the limits of an address', () => {
    const from = (ip: string): ApiClient => store.sdk.with({ 'x-forwarded-for': ip });
    const expectLimited = (answer: Answer): void => {
      expectRefused(answer, 429, 7110);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    };

    it.each([
      ['60 logins', '192.0.2.1', 60, '/v1/auth/login', { method: 'oidc', id_token: 'x' }],
      ['120 refreshes', '192.0.2.2', 120, '/auth/token', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ])('limits %s a minute', async (_, ip, most, path, body) => {
      await setSettings(false, false);
      for (let n = 0; n < most; n++) {
        // Another way to fail, without the limit of ID tokens.
        const sent = 'id_token' in body ? { method: 'anonymous' } : body;
        expect((await from(ip).post(path, sent)).status).not.toBe(429);
      }
      expectLimited(await from(ip).post(path, body));
      expect((await from('192.0.2.3').post(path, body)).status).not.toBe(429);
      server.clock.advanceMs(MINUTE_MS);
      expect((await from(ip).post(path, body)).status).not.toBe(429);
      await setSettings(true, true);
    });

    it('limits failed ID tokens to 10 a minute', async () => {
      const body = { method: 'oidc', id_token: 'x' };
      for (let n = 0; n < 10; n++)
        expectRefused(await from('192.0.2.4').post('/v1/auth/login', body), 401, 7224);
      expectLimited(await from('192.0.2.4').post('/v1/auth/login', body));
    });
  });
});
