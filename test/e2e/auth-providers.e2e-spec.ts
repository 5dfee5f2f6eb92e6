import { AuthIdentitiesService } from '../../src/sdk/auth-providers/identities/auth-identities.service.js';
import { CustomersService } from '../../src/customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import { CustomerSessionsService } from '../../src/sdk/customer-sessions/customer-sessions.service.js';
import { IdTokensService } from '../../src/sdk/auth-providers/id-tokens/id-tokens.service.js';
import type { Answer, ApiClient, Json } from '../support/api-client.js';
import { createSecretKey, joinAs } from '../support/arrange.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { FakeHttp, type FakeAnswer, type FakeCall } from '../support/fake-http.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const env = { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', SERVICE_TEST_STORES: 'true' };

/** A server of keys that does what a test says. */
class KeyServer extends FakeHttp {
  protected answer({ path }: FakeCall): FakeAnswer {
    const [issuer, document] = path.split('/.well-known/');
    if (document === undefined) return { status: 200, body: { keys: [] } };
    return { status: 200, body: { issuer: `${this.url}${issuer}`, jwks_uri: `${this.url}/jwks` } };
  }
}

describe('identity providers', () => {
  let server: TestServer;
  let store: TestStore;
  let idp: IdentityProvider;
  let keys: KeyServer;
  let path: string;

  beforeAll(async () => {
    keys = new KeyServer();
    await keys.start();
    server = await startTestServer({ env: { ...env, SERVICE_FIREBASE_JWKS_URL: `${keys.url}/firebase` } });
    store = await createTestStore(server);
    path = `${store.path}/auth`;
    idp = await IdentityProvider.start(server.clock);
  });

  afterAll(async () => {
    await server.close();
    await idp.stop();
    await keys.close();
  });

  beforeEach(() => {
    // Lists with the newest first: what comes later must be later.
    server.clock.advanceMs(1);
    keys.interfere = () => undefined;
    keys.calls.length = 0;
  });

  const create = (body: object, client: ApiClient = store.backend): Promise<Answer> =>
    client.post(`${path}/providers`, body);
  const oidc = (more: object = {}): object => ({
    kind: 'oidc',
    issuer: idp.issuer,
    audiences: ['shop'],
    ...more,
  });
  const made: string[] = [];
  const newProvider = async (body: object): Promise<Json> => {
    const { status, body: provider, text } = await create(body);
    if (status !== 201) throw new Error(text);
    made.push(provider.id as string);
    return provider;
  };
  const test = async (provider: Json, idToken: string): Promise<Json> => {
    const answer = await store.backend.post(`${path}/providers/${provider.id}/actions/test`, {
      id_token: idToken,
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const turnOn = () => store.backend.post(`${path}/settings`, { enabled: true });
  /** Signs in as the login call does. */
  const signIn = async (provider: Json, subject: string, appUserId = subject): Promise<string> => {
    const identity = { providerId: provider.id as string, subject, mappedAppUserId: appUserId };
    return server.app.get(DatabaseService).transaction(async (tx) => {
      const signedIn = await server.app
        .get(AuthIdentitiesService)
        .recordSignIn(tx, store.projectId, identity);
      const newcomer = { appUserId: signedIn.appUserId, device: null };
      const wanted = { appUserIds: [signedIn.appUserId] };
      const customers = server.app.get(CustomersService);
      await customers.lockOrCreate(tx, store.projectId, newcomer, wanted, server.clock.nowMs());
      const { projectId, appId } = store;
      const { appUserId } = signedIn;
      const { providerId } = identity;
      const start = { projectId, appId, appUserId, method: 'oidc', providerId, subject } as const;
      await server.app.get(CustomerSessionsService).start(tx, start);
      return appUserId;
    });
  };
  const sessionsOf = (subject: string): Promise<unknown[]> =>
    server.dataSource.query('SELECT FROM customer_sessions WHERE subject = $1', [subject]);
  const identityPath = (provider: Json, subject: string): string =>
    `${path}/identities/${provider.id}/${encodeURIComponent(subject)}`;

  afterEach(async () => {
    for (const id of made.splice(0)) await store.backend.delete(`${path}/providers/${id}`);
  });

  describe('settings', () => {
    it('stays off until turned on, each on its own', async () => {
      const off = { object: 'auth_settings', enabled: false, allow_anonymous: false };
      expect((await store.backend.get(`${path}/settings`)).body).toEqual(off);
      const unchanged = await store.backend.post(`${path}/settings`, {});
      expect(unchanged).toMatchObject({ status: 200, body: off });
      expect((await turnOn()).body).toEqual({ ...off, enabled: true });
      server.clock.advanceMs(1);
      const both = await store.session.post(`${path}/settings`, { allow_anonymous: true });
      expect(both.body).toEqual({ object: 'auth_settings', enabled: true, allow_anonymous: true });
      expect((await store.backend.get(`${path}/settings`)).body).toEqual(both.body);
      const [log] = (await store.backend.get(`${store.path}/audit_logs`)).body.items;
      expect(log).toMatchObject({
        action_type: 'auth_settings_updated',
        additional_data: {
          changed_fields: ['allow_anonymous'],
          changes: { allow_anonymous: { old: false, new: true } },
        },
      });
    });

    it('accepts only true or false', async () => {
      for (const param of ['enabled', 'allow_anonymous']) {
        for (const value of ['true', 1, null]) {
          const { status, body } = await store.backend.post(`${path}/settings`, { [param]: value });
          expect([status, body.param]).toEqual([400, param]);
        }
      }
    });
  });

  describe('administration', () => {
    it('creates an OpenID Connect provider with defaults, and shows, changes and deletes it', async () => {
      const created = await create(oidc());
      expect(created.status).toBe(201);
      const now = server.clock.nowMs();
      expect(created.body).toEqual({
        object: 'auth_provider',
        id: expect.stringMatching(/^idp_[a-z0-9]{12}$/),
        kind: 'oidc',
        name: `OpenID Connect ${new URL(idp.issuer).host}`,
        issuer: idp.issuer,
        audiences: ['shop'],
        firebase_project_id: null,
        jwks_url: null,
        jwks_source: 'discovery',
        app_user_id_claim: 'sub',
        app_user_id_prefix: '',
        enabled: true,
        created_at: now,
        updated_at: now,
      });
      const one = `${path}/providers/${created.body.id}`;
      expect((await store.backend.get(one)).body).toEqual(created.body);
      server.clock.advanceMs(1000);
      const change = {
        name: 'Ours',
        jwks_url: idp.jwksUrl,
        app_user_id_claim: 'a.b',
        app_user_id_prefix: 'x-',
      };
      const updated = await store.backend.post(one, { ...change, kind: 'firebase', enabled: false });
      const after = {
        ...created.body,
        ...change,
        jwks_source: 'url',
        enabled: false,
        updated_at: now + 1000,
      };
      expect(updated).toMatchObject({ status: 200, body: after });
      // A client may send back everything it read.
      expect((await store.backend.post(one, updated.body)).body).toEqual(after);
      expect((await store.backend.post(one, { jwks_url: null })).body).toMatchObject({
        jwks_source: 'discovery',
      });
      const deleted = await store.backend.delete(one);
      expect(deleted.body).toEqual({ object: 'auth_provider', id: created.body.id, deleted_at: now + 1000 });
      expect((await store.backend.get(one)).status).toBe(404);
      expect((await store.backend.delete(one)).status).toBe(404);
      const logs = (await store.backend.get(`${store.path}/audit_logs`)).body.items;
      const types = logs.slice(0, 5).map(({ action_type: type }: Json) => type as string);
      expect(types.sort()).toEqual([
        'auth_provider_created',
        'auth_provider_deleted',
        'auth_provider_updated',
        'auth_provider_updated',
        'auth_provider_updated',
      ]);
      expect(logs.map(({ additional_data: data }: Json) => data.changed_fields as unknown)).toContainEqual([
        'app_user_id_claim',
        'app_user_id_prefix',
        'enabled',
        'jwks_url',
        'name',
      ]);
      expect(logs.map(({ additional_data: data }: Json) => data.changes as unknown)).toContainEqual({
        app_user_id_claim: { old: 'sub', new: 'a.b' },
        app_user_id_prefix: { old: '', new: 'x-' },
        enabled: { old: true, new: false },
        jwks_url: { old: null, new: idp.jwksUrl },
        name: { old: created.body.name, new: 'Ours' },
      });
    });

    it('derives issuer and audience of a Firebase provider from its project', async () => {
      const provider = await newProvider({ kind: 'firebase', firebase_project_id: 'shop-1' });
      expect(provider).toMatchObject({
        name: 'Firebase shop-1',
        issuer: 'https://securetoken.google.com/shop-1',
        audiences: ['shop-1'],
        jwks_url: null,
        jwks_source: 'firebase',
      });
      const one = `${path}/providers/${provider.id}`;
      const moved = await store.backend.post(one, { firebase_project_id: 'shop-2' });
      expect(moved.body).toMatchObject({
        issuer: 'https://securetoken.google.com/shop-2',
        audiences: ['shop-2'],
        name: 'Firebase shop-1',
      });
      expect((await store.backend.post(one, moved.body)).status).toBe(200);
    });

    it('refuses a second provider with an issuer, on creation and change', async () => {
      const first = await newProvider(oidc());
      expect(await create(oidc())).toMatchObject({ status: 400, body: { param: 'issuer' } });
      const second = await newProvider(oidc({ issuer: `${idp.issuer}/` }));
      expect(second.issuer).toBe(`${idp.issuer}/`);
      const change = await store.backend.post(`${path}/providers/${second.id}`, { issuer: first.issuer });
      expect(change).toMatchObject({ status: 400, body: { param: 'issuer' } });
      await newProvider({ kind: 'firebase', firebase_project_id: 'same' });
      const again = await create({ kind: 'firebase', firebase_project_id: 'same' });
      expect(again).toMatchObject({ status: 400, body: { param: 'firebase_project_id' } });
    });

    it('allows ten providers, also when many are created at once, and lists them oldest first', async () => {
      const bodies = Array.from({ length: 12 }, (_, index) => oidc({ issuer: `${idp.issuer}/${index}` }));
      const answers = await Promise.all(bodies.map((body) => create(body)));
      for (const { status, body } of answers) if (status === 201) made.push(body.id as string);
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 422, 422]);
      const first = await store.backend.get(`${path}/providers?limit=6`);
      const second = await store.backend.get(first.body.next_page);
      const listed = [...first.body.items, ...second.body.items].map(({ id }: Json) => id as string);
      expect(listed).toEqual([...made].sort());
      expect(second.body.next_page).toBeNull();
    });

    it.each<[string, object, string]>([
      ['no kind', { issuer: 'https://a.example', audiences: ['a'] }, 'kind'],
      ['an unknown kind', { kind: 'saml' }, 'kind'],
      ['no issuer', { kind: 'oidc', audiences: ['a'] }, 'issuer'],
      ['no audiences', { kind: 'oidc', issuer: 'https://a.example' }, 'audiences'],
      ['an empty list of audiences', oidcAt('https://a.example', { audiences: [] }), 'audiences'],
      ['21 audiences', oidcAt('https://a.example', { audiences: Array(21).fill('a') }), 'audiences'],
      ['an empty audience', oidcAt('https://a.example', { audiences: [''] }), 'audiences'],
      ['a long audience', oidcAt('https://a.example', { audiences: ['a'.repeat(256)] }), 'audiences'],
      ['an audience that is no text', oidcAt('https://a.example', { audiences: [1] }), 'audiences'],
      ['an issuer that is no URL', oidcAt('accounts'), 'issuer'],
      ['an issuer with a query', oidcAt('https://a.example/?x=1'), 'issuer'],
      ['an issuer with a fragment', oidcAt('https://a.example/#x'), 'issuer'],
      ['an issuer with a password', oidcAt('https://a:b@a.example'), 'issuer'],
      ['an issuer with white space', oidcAt(' https://a.example'), 'issuer'],
      ['an issuer of another scheme', oidcAt('ftp://a.example'), 'issuer'],
      ['a long issuer', oidcAt(`https://a.example/${'a'.repeat(500)}`), 'issuer'],
      ['null as issuer', { kind: 'oidc', issuer: null, audiences: ['a'] }, 'issuer'],
      ['a key address that is no URL', oidcAt('https://a.example', { jwks_url: 'keys' }), 'jwks_url'],
      ['a file as key address', oidcAt('https://a.example', { jwks_url: 'file:///etc/passwd' }), 'jwks_url'],
      ['an empty name', oidcAt('https://a.example', { name: '' }), 'name'],
      ['a long name', oidcAt('https://a.example', { name: 'a'.repeat(101) }), 'name'],
      ['an empty claim', oidcAt('https://a.example', { app_user_id_claim: '' }), 'app_user_id_claim'],
      [
        'a long claim',
        oidcAt('https://a.example', { app_user_id_claim: 'a'.repeat(101) }),
        'app_user_id_claim',
      ],
      [
        'a long prefix',
        oidcAt('https://a.example', { app_user_id_prefix: 'a'.repeat(51) }),
        'app_user_id_prefix',
      ],
      [
        'an anonymous prefix',
        oidcAt('https://a.example', { app_user_id_prefix: '$RCAnonymousID' }),
        'app_user_id_prefix',
      ],
      [
        'a prefix with a slash',
        oidcAt('https://a.example', { app_user_id_prefix: 'a/' }),
        'app_user_id_prefix',
      ],
      ['enabled as text', oidcAt('https://a.example', { enabled: 'yes' }), 'enabled'],
      [
        'a Firebase project for oidc',
        oidcAt('https://a.example', { firebase_project_id: 'x' }),
        'firebase_project_id',
      ],
      ['no Firebase project', { kind: 'firebase' }, 'firebase_project_id'],
      [
        'a malformed Firebase project',
        { kind: 'firebase', firebase_project_id: 'A b' },
        'firebase_project_id',
      ],
      [
        'a long Firebase project',
        { kind: 'firebase', firebase_project_id: 'a'.repeat(101) },
        'firebase_project_id',
      ],
      [
        'an issuer for firebase',
        { kind: 'firebase', firebase_project_id: 'x', issuer: 'https://a.example' },
        'issuer',
      ],
      [
        'audiences for firebase',
        { kind: 'firebase', firebase_project_id: 'x', audiences: ['y'] },
        'audiences',
      ],
      [
        'a key address for firebase',
        { kind: 'firebase', firebase_project_id: 'x', jwks_url: 'https://a.example' },
        'jwks_url',
      ],
    ])('refuses %s', async (_, body, param) => {
      const answer = await create(body);
      expect([answer.status, answer.body.param]).toEqual([400, param]);
    });

    it('belongs to one project', async () => {
      const provider = await newProvider(oidc());
      const { backend, path: other } = await createTestStore(server);
      expect((await backend.get(`${other}/auth/providers`)).body.items).toEqual([]);
      const one = `${other}/auth/providers/${provider.id}`;
      expect((await backend.get(one)).status).toBe(404);
      expect((await backend.post(one, { name: 'x' })).status).toBe(404);
      expect((await backend.delete(one)).status).toBe(404);
      expect((await backend.post(`${one}/actions/test`, { id_token: 'x' })).status).toBe(404);
      expect((await backend.get(`${path}/providers`)).status).toBe(404);
      // The same issuer may be used in every project.
      expect((await backend.post(`${other}/auth/providers`, oidc())).status).toBe(201);
    });

    it('needs the permissions on projects, and those on customers for identities', async () => {
      const provider = await newProvider(oidc());
      await signIn(provider, 'permitted');
      const viewer = await joinAs(server, 'viewer', store.projectId);
      const reads = [`${path}/settings`, `${path}/providers`, `${path}/identities`];
      for (const read of reads) expect((await viewer.session.get(read)).status).toBe(200);
      expect((await viewer.session.post(`${path}/settings`, { enabled: true })).status).toBe(403);
      expect((await create(oidc(), viewer.session)).status).toBe(403);
      expect((await viewer.session.delete(identityPath(provider, 'permitted'))).status).toBe(403);
      const tested = await viewer.session.post(`${path}/providers/${provider.id}/actions/test`, {
        id_token: 'x',
      });
      expect(tested.status).toBe(200);
      const { client } = await createSecretKey(store.session, store.projectId, [
        'customer_information:customers:read_write',
      ]);
      expect((await client.get(`${path}/settings`)).status).toBe(403);
      expect((await client.get(`${path}/providers/${provider.id}`)).status).toBe(403);
      expect((await client.get(identityPath(provider, 'permitted'))).status).toBe(200);
      expect((await client.delete(identityPath(provider, 'permitted'))).status).toBe(200);
      expect((await store.sdk.get(`${path}/settings`)).status).toBe(403);
      expect((await server.http.get(`${path}/settings`)).status).toBe(401);
    });
  });

  describe('the token test', () => {
    it('accepts a token of the provider, and says which app user id it gives', async () => {
      const provider = await newProvider(oidc({ app_user_id_claim: 'shop.user', app_user_id_prefix: 'u-' }));
      await store.backend.post(`${path}/providers/${provider.id}`, { enabled: false });
      const claims = { sub: 'auth0|1', aud: 'shop', shop: { user: 17 } };
      const answer = await test(provider, await idp.idToken(claims));
      expect(answer).toEqual({
        object: 'auth_token_test',
        valid: true,
        subject: 'auth0|1',
        app_user_id: 'u-17',
        linked: false,
        claims: expect.objectContaining(claims),
        error: null,
        error_code: null,
      });
      expect((await store.backend.get(`${path}/identities`)).body.items).toEqual([]);
    });

    it('names the id that an identity got at its first sign-in', async () => {
      const provider = await newProvider(oidc());
      await signIn(provider, 'known', 'ada');
      const answer = await test(provider, await idp.idToken({ sub: 'known', aud: 'shop' }));
      expect(answer).toMatchObject({ valid: true, linked: true, app_user_id: 'ada' });
    });

    it('answers why a token fails, and repeats nothing of it', async () => {
      const provider = await newProvider(oidc({ app_user_id_claim: 'uid' }));
      const nowS = server.clock.nowMs() / 1000;
      const valid = { sub: 'secret-subject', aud: 'shop', uid: 'secret-id' };
      const token = await idp.idToken(valid);
      const [header, payload, signature] = token.split('.');
      const cases: [string, string][] = [
        ['too_large', `${token}${'a'.repeat(16_384)}`],
        ['malformed', 'secret'],
        ['malformed', ''],
        ['malformed', `${header}.${payload}`],
        [
          'alg_not_allowed',
          await idp.idToken(valid, { crit: ['exp'] }).catch(() => unsigned({ alg: 'RS256', crit: ['b64'] })),
        ],
        ['alg_not_allowed', unsigned({ alg: 'none' })],
        ['alg_not_allowed', unsigned({ alg: 'HS256' })],
        ['wrong_issuer', await idp.idToken({ ...valid, iss: `${idp.issuer}/` })],
        [
          'unknown_key',
          await idp.idToken(valid).then((text) => withHeader(text, { alg: 'RS256', kid: 'other' })),
        ],
        ['bad_signature', `${header}.${payload}.${String(signature).slice(4)}AAAA`],
        ['wrong_audience', await idp.idToken({ ...valid, aud: 'secret-audience' })],
        ['expired', await idp.idToken({ ...valid, exp: nowS - 60 })],
        ['not_yet_valid', await idp.idToken({ ...valid, nbf: nowS + 61 })],
        ['issued_in_future', await idp.idToken({ ...valid, iat: nowS + 61 })],
        ['auth_time_in_future', await idp.idToken({ ...valid, auth_time: nowS + 61 })],
        ['subject_missing', await idp.idToken({ ...valid, sub: undefined })],
        ['subject_too_long', await idp.idToken({ ...valid, sub: 's'.repeat(256) })],
        ['app_user_id_missing', await idp.idToken({ ...valid, uid: undefined })],
        ['app_user_id_invalid', await idp.idToken({ ...valid, uid: '$RCAnonymousID:secret' })],
      ];
      for (const [code, text] of cases) {
        const answer = await test(provider, text);
        expect([answer.error_code, answer.valid, answer.app_user_id]).toEqual([code, false, null]);
        expect(answer.error).not.toMatch(/secret/);
      }
      const edges = { exp: nowS - 59.999, nbf: nowS + 60, iat: nowS + 60, auth_time: nowS + 60 };
      expect(await test(provider, await idp.idToken({ ...valid, ...edges }))).toMatchObject({ valid: true });
    });

    it('needs a token', async () => {
      const provider = await newProvider(oidc());
      for (const body of [{}, { id_token: null }, { id_token: 1 }]) {
        const answer = await store.backend.post(`${path}/providers/${provider.id}/actions/test`, body);
        expect([answer.status, answer.body.param]).toEqual([400, 'id_token']);
      }
    });

    it('checks tokens of Firebase: both times are required', async () => {
      const provider = await newProvider({ kind: 'firebase', firebase_project_id: 'shop' });
      const jwks = await (await fetch(idp.jwksUrl)).text();
      keys.interfere = ({ path: called }) =>
        called === '/firebase' ? { status: 200, body: jwks } : undefined;
      const nowS = Math.floor(server.clock.nowMs() / 1000);
      const valid = { iss: provider.issuer, aud: 'shop', sub: 'ada', auth_time: nowS, iat: nowS };
      expect(await test(provider, await idp.idToken(valid))).toMatchObject({
        valid: true,
        app_user_id: 'ada',
      });
      const failing = async (claims: object): Promise<unknown> =>
        (await test(provider, await idp.idToken({ ...valid, ...claims }))).error_code;
      expect(await failing({ auth_time: undefined })).toBe('auth_time_in_future');
      expect(await failing({ iat: undefined })).toBe('issued_in_future');
      expect(await failing({ aud: 'other' })).toBe('wrong_audience');
    });
  });

  describe('key sets', () => {
    const hosted = (more: object = {}): object => ({
      kind: 'oidc',
      issuer: keys.url,
      audiences: ['shop'],
      ...more,
    });
    const keyOf = (kid: string): string =>
      `${Buffer.from(JSON.stringify({ alg: 'RS256', kid })).toString('base64url')}`;
    const tokenWith = (kid: string, iss = keys.url): string =>
      `${keyOf(kid)}.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.AAAA`;

    it('follows the rotation of keys, asking again at most once a minute', async () => {
      const provider = await newProvider(oidc());
      const claims = { sub: 'ada', aud: 'shop' };
      expect(await test(provider, await idp.idToken(claims))).toMatchObject({ valid: true });
      await idp.rotate('second');
      server.clock.advanceMs(60_000);
      expect(await test(provider, await idp.idToken(claims, { kid: 'second' }))).toMatchObject({
        valid: true,
      });
      await idp.rotate('third');
      const third = await idp.idToken(claims, { kid: 'third' });
      expect(await test(provider, third)).toMatchObject({ error_code: 'unknown_key' });
      server.clock.advanceMs(59_999);
      expect(await test(provider, third)).toMatchObject({ error_code: 'unknown_key' });
      server.clock.advanceMs(1);
      expect(await test(provider, third)).toMatchObject({ valid: true });
    });

    it('fetches them once for many sign-ins, and caches them as long as they say, within bounds', async () => {
      const provider = await newProvider(hosted());
      const fetches = (): number => keys.calls.filter(({ path: called }) => called === '/jwks').length;
      keys.interfere = ({ path: called }) =>
        called === '/jwks'
          ? { status: 200, body: { keys: [] }, headers: { 'cache-control': 'public, max-age=1' } }
          : undefined;
      const answers = await Promise.all(Array.from({ length: 5 }, () => test(provider, tokenWith('a'))));
      expect(answers.map(({ error_code: code }) => code as string)).toEqual(Array(5).fill('unknown_key'));
      expect(fetches()).toBe(1);
      await test(provider, tokenWith('a'));
      expect(fetches()).toBe(1);
      server.clock.advanceMs(300_000);
      await test(provider, tokenWith('a'));
      expect(fetches()).toBe(2);
    });

    it('stays in use when a later fetch fails', async () => {
      const provider = await newProvider(hosted());
      const jwks = await (await fetch(idp.jwksUrl)).text();
      const claims = { sub: 'ada', aud: 'shop', iss: keys.url };
      server.clock.advanceMs(90_000_000);
      keys.interfere = ({ path: called }) => (called === '/jwks' ? { status: 200, body: jwks } : undefined);
      expect(await test(provider, await idp.idToken(claims))).toMatchObject({ valid: true });
      server.clock.advanceMs(90_000_000);
      keys.interfere = () => ({ status: 503 });
      expect(await test(provider, await idp.idToken(claims))).toMatchObject({ valid: true });
    });

    it.each<[string, (call: FakeCall, url: string) => FakeAnswer | undefined, RegExp]>([
      ['an error', () => ({ status: 500 }), /status 500/],
      ['a redirect', (_, url) => ({ status: 302, headers: { location: `${url}/jwks` } }), /status 302/],
      ['no JSON', () => ({ status: 200, body: '<html>' }), /not a JSON object/],
      [
        'another issuer',
        (_, url) => ({ status: 200, body: { issuer: `${url}/`, jwks_uri: `${url}/jwks` } }),
        /another issuer/,
      ],
      ['no address', (_, url) => ({ status: 200, body: { issuer: url } }), /no jwks_uri/],
      [
        'an address that is no URL',
        (_, url) => ({ status: 200, body: { issuer: url, jwks_uri: 'x' } }),
        /could not be fetched/,
      ],
      ['a closed connection', () => ({ status: 200, instead: 'reset' }), /could not be fetched/],
      ['no answer', () => ({ status: 200, instead: 'hang' }), /could not be fetched/],
      [
        'keys that are no set',
        ({ path: called }) => (called === '/jwks' ? { status: 200, body: [] } : undefined),
        /not a JWK set/,
      ],
      [
        'a huge set',
        ({ path: called }) =>
          called === '/jwks'
            ? { status: 200, body: `{"keys":[],"x":"${'x'.repeat(1_000_000)}"}` }
            : undefined,
        /larger than/,
      ],
    ])(
      'names key sets that cannot be loaded because of %s, and retries',
      async (reasonName, interfere, reason) => {
        // Keys that were loaded before would stay in use.
        const issuer = `${keys.url}/${encodeURIComponent(reasonName)}`;
        const provider = await newProvider(hosted({ issuer }));
        await turnOn();
        const token = tokenWith('a', issuer);
        keys.interfere = (call) => interfere(call, issuer);
        const first = await test(provider, token);
        expect([first.valid, first.error_code]).toEqual([false, 'keys_unavailable']);
        expect(first.error).toMatch(reason);
        const before = keys.calls.length;
        const check = server.app.get(IdTokensService).check(store.projectId, 'oidc', token);
        await expect(check).rejects.toMatchObject({ status: 503, code: 7110, details: { retryAfterS: 5 } });
        expect(keys.calls.length).toBe(before);
        server.clock.advanceMs(5_000);
        keys.interfere = () => undefined;
        expect(await test(provider, token)).toMatchObject({ error_code: 'unknown_key' });
      },
    );
  });

  describe('the check of a sign-in', () => {
    const check = (method: 'firebase' | 'oidc' | 'google', idToken: string) =>
      server.app.get(IdTokensService).check(store.projectId, method, idToken);

    it('finds the provider by the kind and the issuer', async () => {
      await turnOn();
      const provider = await newProvider(oidc());
      const token = await idp.idToken({ sub: 'ada', aud: ['shop', 'other'], azp: 'shop' });
      const found = { provider: { id: provider.id }, subject: 'ada', mappedAppUserId: 'ada' };
      expect(await check('oidc', token)).toMatchObject(found);
      expect(await check('google', token)).toMatchObject(found);
      const refused = { status: 403, code: 7224 };
      await expect(check('firebase', token)).rejects.toMatchObject(refused);
      await expect(check('oidc', await idp.idToken({ iss: 'https://other.example' }))).rejects.toMatchObject(
        refused,
      );
      await expect(check('oidc', await idp.idToken({ iss: undefined }))).rejects.toMatchObject(refused);
      await expect(check('oidc', await idp.idToken({ iss: 'a\0b' }))).rejects.toMatchObject(refused);
      await expect(check('oidc', await idp.idToken({ sub: 'ada', aud: 'x' }))).rejects.toMatchObject({
        status: 401,
        code: 7224,
      });
      await store.backend.post(`${path}/providers/${provider.id}`, { enabled: false });
      await expect(check('oidc', token)).rejects.toMatchObject(refused);
      await store.backend.post(`${path}/providers/${provider.id}`, { enabled: true });
      await store.backend.post(`${path}/settings`, { enabled: false });
      await expect(check('oidc', token)).rejects.toMatchObject(refused);
    });
  });

  describe('identities', () => {
    it('counts sign-ins and keeps the id of the first, even of two at once', async () => {
      const provider = await newProvider(oidc());
      const ids = await Promise.all([
        signIn(provider, 'twice', 'twice-a'),
        signIn(provider, 'twice', 'twice-b'),
      ]);
      expect(new Set(ids).size).toBe(1);
      const first = server.clock.nowMs();
      server.clock.advanceMs(1000);
      expect(await signIn(provider, 'twice', 'twice-c')).toBe(ids[0]);
      const answer = await store.backend.get(identityPath(provider, 'twice'));
      expect(answer.body).toEqual({
        object: 'auth_identity',
        provider_id: provider.id,
        subject: 'twice',
        app_user_id: ids[0],
        logins: 3,
        last_login_at: first + 1000,
        created_at: first,
        customer_id: ids[0],
        active_entitlements: [],
        virtual_currencies: {},
      });
    });

    it('shows what their customer has, even after a merge', async () => {
      const provider = await newProvider(oidc());
      const currencies = `${store.path}/virtual_currencies`;
      await store.backend.post(currencies, { code: 'GLD', name: 'Gold' });
      await signIn(provider, 'https://id.example/ada lovelace', 'ada-l');
      const purchase = {
        app_user_id: '$RCAnonymousID:0123456789abcdef0123456789abcdef',
        fetch_token: `test_${server.clock.nowMs()}_idp`,
        product_id: 'pro_monthly',
      };
      expect((await store.sdk.post('/v1/receipts', purchase)).status).toBe(200);
      await store.sdk.post('/v1/subscribers/identify', {
        app_user_id: purchase.app_user_id,
        new_app_user_id: 'ada-l',
      });
      await store.backend.post(`${store.path}/customers/ada-l/virtual_currencies/transactions`, {
        adjustments: { GLD: 7 },
      });
      const answer = await store.backend.get(identityPath(provider, 'https://id.example/ada lovelace'));
      expect(answer).toMatchObject({
        status: 200,
        body: { app_user_id: 'ada-l', subject: 'https://id.example/ada lovelace' },
      });
      expect(answer.body.active_entitlements).toMatchObject([{ lookup_key: 'pro' }]);
      expect(answer.body.virtual_currencies).toEqual({ GLD: { balance: 7, name: 'Gold', code: 'GLD' } });
      const byOther = `${path}/identities?app_user_id=${encodeURIComponent(purchase.app_user_id)}`;
      expect((await store.backend.get(byOther)).body.items).toMatchObject([{ app_user_id: 'ada-l' }]);
    });

    it('lists them by their latest sign-in, in pages, narrowed by provider, subject and customer', async () => {
      const [one, two] = [await newProvider(oidc()), await newProvider(oidc({ issuer: `${idp.issuer}/2` }))];
      const subjects = ['a/1', 'b', 'c%2F', 'd:é', 'e'];
      for (const [index, subject] of subjects.entries()) {
        if (index % 2 === 0) server.clock.advanceMs(1);
        await signIn(one, subject, `list-${index}`);
        await signIn(two, subject, `list-${index}`);
      }
      server.clock.advanceMs(1);
      await signIn(one, 'b', 'list-1');
      const key = ({ provider_id: id, subject }: Json): string => `${String(id)} ${String(subject)}`;
      const all = (await store.backend.get(`${path}/identities`)).body.items as Json[];
      expect(all).toHaveLength(10);
      expect(all[0]).toMatchObject({ subject: 'b', provider_id: one.id, logins: 2 });
      expect(all[0]).not.toHaveProperty('customer_id');
      const times = all.map(({ last_login_at: time }) => time as number);
      expect(times).toEqual([...times].sort((a, b) => b - a));
      for (const limit of [1, 3, 4]) {
        const walked: Json[] = [];
        let next: string | null = `${path}/identities?limit=${limit}`;
        while (next !== null) {
          const { body }: Answer = await store.backend.get(next);
          walked.push(...body.items);
          next = body.next_page;
        }
        expect(walked.map(key)).toEqual(all.map(key));
      }
      const listed = async (query: string): Promise<string[]> =>
        ((await store.backend.get(`${path}/identities?${query}`)).body.items as Json[]).map(key);
      expect(await listed(`provider_id=${two.id}`)).toEqual(
        all.map(key).filter((text) => text.startsWith(two.id)),
      );
      expect((await listed('subject=a%2F1')).sort()).toEqual([`${one.id} a/1`, `${two.id} a/1`].sort());
      expect((await listed('app_user_id=list-3')).sort()).toEqual([`${one.id} d:é`, `${two.id} d:é`].sort());
      expect(await listed('app_user_id=nobody')).toEqual([]);
      const bySubject = all
        .filter(({ provider_id: id }) => id === two.id)
        .map(({ subject }) => subject as string);
      const after = encodeURIComponent(bySubject[1] ?? '');
      expect(await listed(`provider_id=${two.id}&starting_after=${after}`)).toEqual(
        bySubject.slice(2).map((subject) => `${two.id} ${subject}`),
      );
      const unknown = await store.backend.get(`${path}/identities?starting_after=nobody`);
      expect(unknown).toMatchObject({ status: 400, body: { param: 'starting_after' } });
    });

    it('maps again after they were unlinked', async () => {
      const provider = await newProvider(oidc());
      await signIn(provider, 'moving', 'before');
      expect(await sessionsOf('moving')).toHaveLength(1);
      server.clock.advanceMs(1);
      const deleted = await store.backend.delete(identityPath(provider, 'moving'));
      expect(await sessionsOf('moving')).toEqual([]);
      expect(deleted.body).toEqual({
        object: 'auth_identity',
        id: 'moving',
        deleted_at: server.clock.nowMs(),
      });
      expect((await store.backend.get(identityPath(provider, 'moving'))).status).toBe(404);
      expect((await store.backend.delete(identityPath(provider, 'moving'))).status).toBe(404);
      expect(await signIn(provider, 'moving', 'after')).toBe('after');
      expect((await store.backend.get(`${store.path}/customers/before`)).status).toBe(200);
      const logs = (await store.backend.get(`${store.path}/audit_logs`)).body.items;
      expect(logs[0]).toMatchObject({
        action_type: 'auth_identity_deleted',
        target_identifier: 'moving',
        additional_data: { provider_id: provider.id },
      });
    });

    it('deletes them with their provider, whose customers stay, and with their customer', async () => {
      const provider = await newProvider(oidc());
      await signIn(provider, 'stays', 'stays');
      await signIn(provider, 'goes', 'goes');
      expect((await store.backend.delete(`${store.path}/customers/goes`)).status).toBe(200);
      expect((await store.backend.get(identityPath(provider, 'goes'))).status).toBe(404);
      expect(await sessionsOf('stays')).toHaveLength(1);
      await store.backend.delete(`${path}/providers/${provider.id}`);
      expect(await sessionsOf('stays')).toEqual([]);
      expect((await store.backend.get(identityPath(provider, 'stays'))).status).toBe(404);
      expect((await store.backend.get(`${store.path}/customers/stays`)).status).toBe(200);
      await expect(signIn(provider, 'stays', 'stays')).rejects.toMatchObject({ status: 403, code: 7224 });
      const again = await newProvider(oidc());
      expect(await signIn(again, 'stays', 'mapped-now')).toBe('mapped-now');
    });

    it('belongs to one project', async () => {
      const provider = await newProvider(oidc());
      await signIn(provider, 'isolated');
      const { backend, path: other } = await createTestStore(server);
      expect((await backend.get(`${other}/auth/identities`)).body.items).toEqual([]);
      const one = `${other}/auth/identities/${provider.id}/isolated`;
      expect((await backend.get(one)).status).toBe(404);
      expect((await backend.delete(one)).status).toBe(404);
      expect((await store.backend.get(identityPath(provider, 'isolated'))).status).toBe(200);
    });
  });

  function oidcAt(issuer: string, more: object = {}): object {
    return { kind: 'oidc', issuer, audiences: ['a'], ...more };
  }

  function unsigned(header: object): string {
    const parts = [header, { iss: idp.issuer }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return [...parts, 'AAAA'].join('.');
  }

  function withHeader(token: string, header: object): string {
    return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...token.split('.').slice(1)].join(
      '.',
    );
  }
});

describe('identity providers of the hosted edition', () => {
  let server: TestServer;
  let store: TestStore;

  beforeAll(async () => {
    server = await startTestServer({ env: { ...env, SERVICE_EDITION: 'cloud' } });
    store = await createTestStore(server);
  });

  afterAll(() => server.close());

  const create = (body: object): Promise<Answer> =>
    store.backend.post(`${store.path}/auth/providers`, { kind: 'oidc', audiences: ['shop'], ...body });

  it.each([
    'http://accounts.example.com',
    'https://127.0.0.1',
    'https://[::1]:8443',
    'https://localhost',
    'https://10.1.2.3/realm',
    'https://192.168.0.1',
    'https://172.16.0.1',
    'https://169.254.169.254/latest',
    'https://100.64.0.1',
    'https://[fd00::1]',
    'https://[::ffff:10.0.0.1]',
    'https://0x7f000001',
    'https://2130706433',
    'https://keys.internal',
  ])('refuses %s, although private networks are allowed to webhooks', async (url) => {
    expect(await create({ issuer: url })).toMatchObject({ status: 400, body: { param: 'issuer' } });
    const withKeys = await create({ issuer: 'https://accounts.example.com', jwks_url: url });
    expect(withKeys).toMatchObject({ status: 400, body: { param: 'jwks_url' } });
  });

  it('refuses a private address that their discovery document or name leads to later', async () => {
    const keys = new KeyServer();
    await keys.start();
    try {
      const { body } = await create({ issuer: 'https://203.0.114.9', jwks_url: 'https://203.0.114.9/keys' });
      await server.dataSource.query(`UPDATE auth_providers SET issuer = $2, jwks_url = NULL WHERE id = $1`, [
        body.id,
        keys.url,
      ]);
      const payload = Buffer.from(JSON.stringify({ iss: keys.url })).toString('base64url');
      const header = Buffer.from('{"alg":"RS256","kid":"1"}').toString('base64url');
      const answer = await store.backend.post(`${store.path}/auth/providers/${body.id}/actions/test`, {
        id_token: `${header}.${payload}.AAAA`,
      });
      expect(answer.body).toMatchObject({ valid: false, error_code: 'keys_unavailable' });
      expect(keys.calls).toEqual([]);
    } finally {
      await keys.close();
    }
  });
});
