import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer } from '../support/api-client.js';
import { createSecretKey, joinAs, PASSWORD, type SignedUp, signUp } from '../support/arrange.js';
import {
  agree,
  authorizePath,
  type Fields,
  FORM,
  formOf,
  hiddenFields,
  type LetIn,
  letClientIn,
  newPkce,
  postToken,
  REDIRECT_URI,
  redirectParameters,
  registerClient,
} from '../support/arrange-oauth.js';
import { ageReplacedTokens } from '../support/replaced-tokens.js';
import { startClientDocuments } from '../support/client-documents.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ALL = 'project:read project:write project:money';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('OAuth', () => {
  let server: TestServer;
  let ada: SignedUp;
  let clientId: string;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_OAUTH_CIMD_ALLOW_LOCAL: 'true',
      },
    });
    ada = await signUp(server, { projectName: 'Acme <b>"1"</b>' });
    clientId = await registerClient(server);
  });

  afterAll(() => server.close());

  // Each test has a minute of its own: requests of one network are limited.
  beforeEach(() => server.clock.advanceMs(MINUTE_MS));

  const path = (project = ada.projectId): string => `/v2/projects/${project}`;
  const codeFields = (code: string, verifier: string, more: Fields = {}): Fields => ({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    ...more,
  });
  const refreshFields = ({ tokens, clientId: client_id }: LetIn, more: Fields = {}): Fields => ({
    grant_type: 'refresh_token',
    client_id,
    refresh_token: tokens.refresh_token,
    ...more,
  });
  const readOnly = (): Fields => ({ project_id: ada.projectId, access: 'project:read' });
  const errorOf = ({ status, body }: Answer): unknown[] => [status, body.error];
  const works = async ({ client }: Pick<LetIn, 'client'>): Promise<boolean> =>
    (await client.get('/v2/projects')).status === 200;
  const auditOf = async (action: string): Promise<Fields[]> => {
    const { body } = await ada.session.get(`${path()}/audit_logs?action_type=${action}`);
    return body.items as Fields[];
  };
  const ask = (parameters: Record<string, string | undefined> = {}) =>
    ada.session.get(
      authorizePath({ client_id: clientId, code_challenge: newPkce().challenge, ...parameters }),
    );

  describe('metadata', () => {
    it('says what the server offers, to any origin, and that it is no OpenID provider', async () => {
      const found = await server.http.get('/.well-known/oauth-authorization-server');
      expect(found.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=300',
      });
      const issuer = server.baseUrl;
      expect(found.body).toEqual({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        registration_endpoint: `${issuer}/oauth/register`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        scopes_supported: ['project:read', 'project:write', 'project:money', 'offline_access'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        service_documentation: `${issuer}/docs`,
      });
      for (const [suffix, resource] of [
        ['', '/mcp'],
        ['/', '/mcp'],
        ['/mcp', '/mcp'],
        ['/mcp/', '/mcp/'],
      ] as const) {
        const answer = await fetch(`${issuer}/.well-known/oauth-protected-resource${suffix}`);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(await answer.json()).toMatchObject({
          resource: issuer + resource,
          authorization_servers: [issuer],
          scopes_supported: ['project:read'],
          bearer_methods_supported: ['header'],
        });
      }
      // The OpenAPI document, which checks the answers to `http`, has the path without the slash.
      const slashed = await fetch(`${issuer}/.well-known/oauth-authorization-server/`);
      expect([slashed.status, await slashed.json()]).toEqual([200, found.body]);
      expect((await server.http.get('/.well-known/openid-configuration')).status).toBe(404);
    });

    it('answers 404 where codes would go over a network in the clear', async () => {
      const headers = { host: 'tenure.internal:8787' };
      expect((await server.http.get('/.well-known/oauth-authorization-server', headers)).status).toBe(404);
      const page = await server.http.get(authorizePath({ client_id: clientId }), headers);
      expect([page.status, page.text.includes('OAuth needs https')]).toEqual([404, true]);
      const refused = await server.http.send('POST', '/oauth/token', 'grant_type=x', { ...FORM, ...headers });
      expect(refused.status).toBe(404);
    });
  });

  describe('registration', () => {
    it('answers with everything that holds, and no secret', async () => {
      const { status, body, headers } = await server.http.post(
        '/oauth/register',
        { redirect_uris: ['cursor://app/cb'], client_name: 'Agent', token_endpoint_auth_method: 'x', odd: 1 },
        { 'x-forwarded-for': '10.2.0.1' },
      );
      expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
        201,
        'no-store',
        '*',
      ]);
      expect(body).toEqual({
        client_id: expect.stringMatching(/^oac_[0-9a-z]{24}$/),
        client_id_issued_at: Math.floor(server.clock.nowMs() / 1000),
        client_name: 'Agent',
        redirect_uris: ['cursor://app/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    });

    it('refuses what is not valid, and more than 20 an hour from one network', async () => {
      const from = { 'x-forwarded-for': '10.2.0.2' };
      const register = (body: object) => server.http.post('/oauth/register', body, from);
      expect(errorOf(await register({ redirect_uris: ['javascript:x'] }))).toEqual([
        400,
        'invalid_redirect_uri',
      ]);
      expect(errorOf(await register([]))).toEqual([400, 'invalid_client_metadata']);
      for (let n = 0; n < 20; n++)
        expect((await register({ redirect_uris: [REDIRECT_URI] })).status).toBe(201);
      const last = await register({ redirect_uris: [REDIRECT_URI] });
      expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
    });

    it('accepts programs in browsers, the consent page does not', async () => {
      const preflight = (url: string) =>
        server.http.send('OPTIONS', url, undefined, { 'access-control-request-headers': 'content-type' });
      for (const url of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
        const { status, headers } = await preflight(url);
        expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
      }
      const { headers } = await preflight('/oauth/authorize');
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect((await ask()).headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('the authorization request', () => {
    it.each([
      ['no client', { client_id: undefined }],
      ['an unknown client', { client_id: 'oac_unknown' }],
      ['another redirect URI', { redirect_uri: `${REDIRECT_URI}/more` }],
      ['a redirect URI of another host', { redirect_uri: 'https://evil.example/callback' }],
    ])('shows a page for %s, and no redirect', async (_, parameters) => {
      const { status, headers, text } = await ask(parameters);
      expect([status, headers.location, headers['content-type']]).toEqual([
        400,
        undefined,
        'text/html; charset=utf-8',
      ]);
      expect(text).toContain('<h1>This request cannot be used</h1>');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-security-policy']).toMatch(/form-action 'none'; frame-ancestors 'none'$/);
    });

    it('shows a page for a repeated parameter, and no redirect', async () => {
      const url = authorizePath({ client_id: clientId, code_challenge: newPkce().challenge });
      for (const name of ['state', 'redirect_uri', 'client_id', 'scope']) {
        const { status, headers } = await ada.session.get(`${url}&${name}=a&${name}=b`);
        expect([name, status, headers.location]).toEqual([name, 400, undefined]);
      }
    });

    it.each([
      ['unsupported_response_type', { response_type: 'token' }],
      ['unsupported_response_type', { response_type: undefined }],
      ['invalid_request', { code_challenge: undefined }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_request', { code_challenge_method: undefined }],
      ['invalid_request', { code_challenge: 'a'.repeat(42) }],
      ['invalid_request', { code_challenge: '+'.repeat(43) }],
      ['invalid_scope', { scope: 'openid profile' }],
      ['invalid_scope', { scope: '*:*:read_write' }],
      ['invalid_target', { resource: 'https://evil.example/mcp' }],
      ['invalid_target', { resource: 'https://127.0.0.1/mcp/more' }],
    ])('goes back to the client with %s: %j', async (error, parameters) => {
      for (const session of [ada.session, server.http]) {
        const url = authorizePath({
          client_id: clientId,
          code_challenge: newPkce().challenge,
          ...parameters,
        });
        const answer = await session.get(`${url}&state=a%20b%26`);
        expect(answer.status).toBe(302);
        expect(answer.headers.location).toMatch(/^https:\/\/agent\.example\.com\/callback\?/);
        expect(redirectParameters(answer)).toEqual({
          error,
          error_description: expect.stringContaining(error === 'invalid_scope' ? 'project:money' : ''),
          state: 'a b&',
          iss: server.baseUrl,
        });
      }
    });

    it.each([
      undefined,
      '',
      'project:read',
      'offline_access',
      'openid project:write',
      `${ALL} offline_access`,
    ])('accepts the scope %j', async (scope) => {
      expect((await ask({ scope, prompt: 'consent' })).status).toBe(200);
    });

    it.each(['', '/', '/mcp', '/v2'])('accepts this server as resource: %j', async (rest) => {
      expect((await ask({ resource: server.baseUrl + rest })).status).toBe(200);
    });

    it('accepts a missing redirect URI if there is only one, and any port on this machine', async () => {
      expect((await ask({ redirect_uri: undefined })).status).toBe(200);
      const redirect_uris = ['http://127.0.0.1/cb', 'http://localhost:1/cb'];
      const local = await registerClient(server, { redirect_uris });
      expect((await ask({ client_id: local, redirect_uri: undefined })).status).toBe(400);
      const page = await ask({ client_id: local, redirect_uri: 'http://127.0.0.1:51234/cb' });
      expect(page.text).toContain('an address on your own computer');
      expect(page.headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:51234;");
    });

    it('leads a signed-out person to the sign-in page, and back', async () => {
      const url = authorizePath({ client_id: clientId, code_challenge: newPkce().challenge, state: 'x&y' });
      const { status, headers } = await server.http.get(url);
      expect([status, headers.location]).toEqual([302, `/login?next=${encodeURIComponent(url)}`]);
    });
  });

  describe('the consent page', () => {
    it('shows client, host, account and projects as text, and cannot be framed or run scripts', async () => {
      const client_id = await registerClient(server, { client_name: '<img src=x onerror=alert(1)>' });
      const { text, headers } = await ask({ client_id, scope: ALL });
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(text).not.toContain('<img');
      expect(text).not.toContain('<script');
      expect(text).toContain('<dd>agent.example.com</dd>');
      expect(text).toContain(ada.email);
      expect(text).toContain('Acme &lt;b&gt;&quot;1&quot;&lt;/b&gt; (admin)');
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; " +
          "form-action 'self' https://agent.example.com; frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      const stylesheet = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? '';
      const { status, headers: ofStyles } = await fetch(server.baseUrl + stylesheet);
      expect([status, ofStyles.get('content-type')]).toEqual([200, expect.stringContaining('text/css')]);
    });

    it('offers no more than was asked for', async () => {
      const few = (await ask()).text;
      expect(few).not.toContain('value="project:write"');
      expect(few).not.toContain('name="money"');
      const all = (await ask({ scope: ALL })).text;
      expect(all).toContain('value="project:write" checked');
      expect(all).toContain('name="money" value="on">');
    });

    it('appears for a client that was authorized, and starts from its grant when it asks for more', async () => {
      const client_id = await registerClient(server);
      await letClientIn(server, ada, 'project:read', client_id);
      for (const prompt of [undefined, 'none', 'login']) {
        const page = await ask({ client_id, prompt });
        expect([page.status, page.text.includes('value="allow"')]).toEqual([200, true]);
      }
      const { text } = await ask({ client_id, scope: ALL });
      expect(text).toContain(`<option value="${ada.projectId}" selected>`);
      expect(text).toContain('name="money" value="on" checked>');
    });

    it('says so to a person without projects, who can only deny', async () => {
      const eve = await signUp(server);
      await eve.session.delete(path(eve.projectId));
      const page = await eve.session.get(
        authorizePath({ client_id: clientId, code_challenge: newPkce().challenge }),
      );
      expect(page.text).toContain('You are a member of no project');
      expect(page.text).not.toContain('value="allow"');
    });
  });

  describe('the decision', () => {
    const decide = (page: Answer, fields: Record<string, string | undefined>, headers: Fields = {}) =>
      ada.session.send('POST', '/oauth/authorize', formOf({ ...hiddenFields(page), ...fields }), {
        ...FORM,
        ...headers,
      });

    it('returns to the client without a code on deny', async () => {
      const answer = await decide(await ask({ state: 's' }), { decision: 'deny' });
      expect(answer.status).toBe(302);
      expect(redirectParameters(answer)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 's',
        iss: server.baseUrl,
      });
    });

    it('returns with code, state and issuer on allow, and is audited', async () => {
      const { answer } = await agree(ada.session, { clientId, scope: ALL, state: 'a=b' }, readOnly());
      expect(redirectParameters(answer)).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        state: 'a=b',
        iss: server.baseUrl,
      });
      const [entry] = await auditOf('oauth_grant_created');
      expect(entry).toMatchObject({
        target_type: 'oauth_grant',
        target_identifier: expect.stringMatching(/^oag_[0-9a-z]{16}$/),
        actor_type: 'user',
        actor_identifier: ada.email,
        additional_data: { client_id: clientId, client_name: 'Example agent', scopes: ['project:read'] },
      });
    });

    it('needs the page of this session and this request, at most 10 minutes old', async () => {
      const [page, other] = [await ask({ scope: ALL }), await ask()];
      const allow = { decision: 'allow', ...readOnly() };
      const bob = await joinAs(server, 'admin', ada.projectId);
      const ofBob = await bob.session.get(
        authorizePath({ client_id: clientId, code_challenge: newPkce().challenge }),
      );
      const wrong: Record<string, string | undefined>[] = [
        { csrf: undefined },
        { csrf: 'x' },
        { csrf: hiddenFields(other).csrf },
        { csrf: hiddenFields(ofBob).csrf },
        { request: undefined },
        { request: hiddenFields(other).request },
        { ...hiddenFields(ofBob) },
      ];
      for (const fields of wrong) {
        const answer = await decide(page, { ...allow, ...fields });
        expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
        expect(answer.text).toContain('<h1>This page is not valid any more</h1>');
      }
      const form = formOf({ ...hiddenFields(page), ...allow });
      expect((await server.http.send('POST', '/oauth/authorize', form, FORM)).status).toBe(403);
      const foreign: Fields[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
      for (const from of foreign) {
        expect((await decide(page, allow, from)).status).toBe(403);
      }
      server.clock.advanceMs(10 * MINUTE_MS);
      expect((await decide(page, allow)).status).toBe(403);
    });

    it('needs a decision, a project of the person, and each field once', async () => {
      const page = await ask();
      const eve = await signUp(server);
      for (const fields of [
        { decision: undefined },
        { decision: 'maybe' },
        { decision: 'allow' },
        { decision: 'allow', project_id: eve.projectId },
        { decision: 'allow', project_id: 'projunknown' },
      ]) {
        const { status, headers, text } = await decide(page, fields);
        expect([status, headers.location, text.includes('<h1>')]).toEqual([400, undefined, true]);
      }
      const twice = `${formOf({ ...hiddenFields(page), decision: 'deny' })}&decision=allow`;
      expect((await ada.session.send('POST', '/oauth/authorize', twice, FORM)).status).toBe(400);
      // JSON is no form of a page, but has the same fields and the same protection.
      const json = await ada.session.post('/oauth/authorize', { decision: 'allow', ...readOnly() });
      expect(json.status).toBe(403);
    });
  });

  describe('the token request', () => {
    it('gets a pair for a code; a JSON body does too', async () => {
      const { code, verifier } = await agree(ada.session, { clientId }, readOnly());
      const { status, body, headers } = await server.http.post('/oauth/token', codeFields(code, verifier));
      expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
        200,
        'no-store',
        '*',
      ]);
      expect(body).toEqual({
        access_token: expect.stringMatching(/^atk_[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^rtk_[\w-]{43}$/),
        scope: 'project:read',
      });
      const stored = JSON.stringify(
        await Promise.all(
          ['oauth_grants', 'oauth_grant_routes'].map((table) =>
            server.dataSource.query(`SELECT * FROM ${table}`),
          ),
        ),
      );
      for (const secret of [code, body.access_token, body.refresh_token] as string[]) {
        expect(stored).not.toContain(secret);
      }
    });

    it('refuses anything that is not of the code’s request, and the code stays good', async () => {
      const other = await registerClient(server);
      const { code, verifier } = await agree(
        ada.session,
        { clientId, resource: `${server.baseUrl}/mcp` },
        readOnly(),
      );
      const good = codeFields(code, verifier, {
        redirect_uri: REDIRECT_URI,
        resource: `${server.baseUrl}/mcp`,
      });
      const table: [Record<string, string | undefined>, number, string][] = [
        [{ client_id: other }, 400, 'invalid_grant'],
        [{ client_id: 'oac_unknown' }, 401, 'invalid_client'],
        [{ client_id: 'a\0' }, 401, 'invalid_client'],
        [{ client_id: undefined }, 400, 'invalid_request'],
        [{ redirect_uri: 'https://evil.example/' }, 400, 'invalid_grant'],
        [{ code_verifier: newPkce().verifier }, 400, 'invalid_grant'],
        [{ code_verifier: 'short' }, 400, 'invalid_grant'],
        [{ code_verifier: undefined }, 400, 'invalid_request'],
        [{ code_verifier: '' }, 400, 'invalid_request'],
        [{ code: 'x' }, 400, 'invalid_grant'],
        [{ code: undefined }, 400, 'invalid_request'],
        [{ resource: `${server.baseUrl}/v2` }, 400, 'invalid_target'],
        [{ resource: 'https://evil.example/mcp' }, 400, 'invalid_target'],
        [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
        [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
        [{ grant_type: undefined }, 400, 'invalid_request'],
      ];
      for (const [wrong, status, error] of table) {
        const answer = await server.http.send('POST', '/oauth/token', formOf({ ...good, ...wrong }), FORM);
        expect([wrong, ...errorOf(answer)]).toEqual([wrong, status, error]);
        expect(answer.body.error_description).not.toMatch(/["\\]/);
      }
      const twice = await server.http.send('POST', '/oauth/token', `${formOf(good)}&code=x`, FORM);
      expect(errorOf(twice)).toEqual([400, 'invalid_request']);
      const odd = await server.http.post('/oauth/token', { ...good, code: { a: 1 } });
      expect(errorOf(odd)).toEqual([400, 'invalid_request']);
      expect(
        errorOf(await server.http.send('POST', '/oauth/token', 'x', { 'content-type': 'text/plain' })),
      ).toEqual([400, 'invalid_request']);
      expect((await postToken(server, good)).status).toBe(200);
    });

    it('refuses a code older than 10 minutes', async () => {
      const { code, verifier } = await agree(ada.session, { clientId }, readOnly());
      server.clock.advanceMs(10 * MINUTE_MS);
      expect(errorOf(await postToken(server, codeFields(code, verifier)))).toEqual([400, 'invalid_grant']);
    });

    it('ends everything issued by a used code', async () => {
      const { code, verifier } = await agree(ada.session, { clientId }, readOnly());
      const { body } = await postToken(server, codeFields(code, verifier));
      const first = { clientId, tokens: body, client: server.http.withKey(body.access_token as string) };
      expect(await works(first)).toBe(true);
      expect(errorOf(await postToken(server, codeFields(code, verifier)))).toEqual([400, 'invalid_grant']);
      expect(await works(first)).toBe(false);
      expect(errorOf(await postToken(server, refreshFields(first)))).toEqual([400, 'invalid_grant']);
      const [entry] = await auditOf('oauth_grant_revoked');
      expect(entry).toMatchObject({ actor_type: 'system', additional_data: { reason: 'code_reused' } });
    });

    it('issues tokens at most once for two requests with one code, and ends the grant', async () => {
      const { code, verifier } = await agree(ada.session, { clientId }, readOnly());
      const answers = await Promise.all([1, 2, 3].map(() => postToken(server, codeFields(code, verifier))));
      const tokens = answers.flatMap(({ status, body }) =>
        status === 200 ? [body.access_token as string] : [],
      );
      expect(tokens).toHaveLength(1);
      expect(await works({ client: server.http.withKey(tokens[0] ?? '') })).toBe(false);
    });
  });

  describe('a refresh', () => {
    it('replaces both tokens, and lasts 30 days from the last one', async () => {
      const first = await letClientIn(server, ada);
      server.clock.advanceMs(29 * DAY_MS);
      const { status, body } = await postToken(server, refreshFields(first));
      const second = { ...first, tokens: body, client: server.http.withKey(body.access_token as string) };
      expect([status, body.scope, await works(first), await works(second)]).toEqual([200, ALL, false, true]);
      server.clock.advanceMs(3_600_000);
      expect(await works(second)).toBe(false);
      server.clock.advanceMs(29 * DAY_MS);
      const third = await postToken(server, refreshFields(second));
      expect(third.status).toBe(200);
      server.clock.advanceMs(30 * DAY_MS);
      const last = { ...second, tokens: third.body };
      expect(errorOf(await postToken(server, refreshFields(last)))).toEqual([400, 'invalid_grant']);
      ada.session = server.http.withCookie(await signInAgain(ada.email));
    });

    it('ends the grant after a minute for a token whose successor was used', async () => {
      const first = await letClientIn(server, ada);
      const { body } = await postToken(server, refreshFields(first));
      const second = { ...first, tokens: body, client: server.http.withKey(body.access_token as string) };
      expect(await works(second)).toBe(true);
      await ageReplacedTokens(server, 60_001);
      expect(errorOf(await postToken(server, refreshFields(first)))).toEqual([400, 'invalid_grant']);
      expect(errorOf(await postToken(server, refreshFields(second)))).toEqual([400, 'invalid_grant']);
      const [entry] = await auditOf('oauth_grant_revoked');
      expect(entry).toMatchObject({ additional_data: { reason: 'refresh_token_reused' } });
    });

    it('changes nothing for another client, or with another form', async () => {
      const first = await letClientIn(server, ada);
      const table: [Fields, number, string][] = [
        [{ client_id: await registerClient(server) }, 400, 'invalid_grant'],
        [{ client_id: 'oac_unknown' }, 401, 'invalid_client'],
        [{ refresh_token: first.tokens.access_token }, 400, 'invalid_grant'],
        [{ refresh_token: `rtk_${'A'.repeat(43)}` }, 400, 'invalid_grant'],
        [{ refresh_token: `${first.tokens.refresh_token}=` }, 400, 'invalid_grant'],
        [{ refresh_token: '' }, 400, 'invalid_request'],
        [{ scope: 'project:read admin' }, 400, 'invalid_scope'],
        [{ resource: 'https://evil.example' }, 400, 'invalid_target'],
      ];
      for (const [wrong, status, error] of table) {
        expect([wrong, ...errorOf(await postToken(server, refreshFields(first, wrong)))]).toEqual([
          wrong,
          status,
          error,
        ]);
      }
      expect(await works(first)).toBe(true);
    });

    it('issues a token with fewer scopes, but not more than agreed', async () => {
      const first = await letClientIn(server, ada, 'project:read project:write');
      const more = await postToken(server, refreshFields(first, { scope: ALL }));
      expect(errorOf(more)).toEqual([400, 'invalid_scope']);
      const { body } = await postToken(server, refreshFields(first, { scope: 'project:read' }));
      expect(body.scope).toBe('project:read');
      const client = server.http.withKey(body.access_token as string);
      expect((await client.post(`${path()}/entitlements`, {})).status).toBe(403);
      const back = await postToken(server, refreshFields({ ...first, tokens: body }));
      expect(back.body.scope).toBe('project:read project:write');
    });
  });

  async function signInAgain(email: string, password = PASSWORD): Promise<string> {
    const { headers } = await server.http.post('/auth/login', { email, password });
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }

  describe('an access token', () => {
    const webhook = { name: 'x', url: 'https://hooks.example.com/' };
    const write = ({ client }: LetIn) => client.post(`${path()}/integrations/webhooks`, webhook);
    const refund = ({ client }: LetIn) =>
      client.post(`${path()}/subscriptions/sub_unknown/actions/refund`, {});
    const keys = ({ client }: LetIn) => client.get(`${path()}/api_keys`);

    it.each([
      ['project:read', [403, 403, 403]],
      ['project:read project:write', [201, 403, 403]],
      ['project:read project:money', [403, 404, 403]],
      [ALL, [201, 404, 403]],
    ])('allows with %s to write, refund and list keys: %j', async (scope, statuses) => {
      const letIn = await letClientIn(server, ada, scope);
      expect((await letIn.client.get(path())).status).toBe(200);
      const answers = [await write(letIn), await refund(letIn), await keys(letIn)];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      const challenged = answers.map(({ headers }) => headers['www-authenticate'] ?? '');
      if (statuses[0] === 403) {
        expect(challenged[0]).toBe(
          `Bearer error="insufficient_scope", resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="${
            scope.includes('money') ? ALL : 'project:read project:write'
          }"`,
        );
      }
      // No scope would help.
      expect(challenged[2]).toBe('');
    });

    it.each(['developer', 'viewer'] as const)('allows no more than a %s may do', async (role) => {
      const person = await joinAs(server, role, ada.projectId);
      const letIn = await letClientIn(server, { ...person, projectId: ada.projectId }, ALL);
      const may = role === 'viewer' ? [403, 403, 'project:read'] : [201, 404, ALL];
      expect([(await write(letIn)).status, (await refund(letIn)).status, letIn.tokens.scope]).toEqual(may);
    });

    it('shrinks with the role of its person, and dies with the membership', async () => {
      const bob = await joinAs(server, 'developer', ada.projectId);
      const letIn = await letClientIn(server, { ...bob, projectId: ada.projectId }, ALL);
      const { id } = (await bob.session.get('/auth/me')).body.user;
      await ada.session.post(`${path()}/collaborators/${id}`, { role: 'viewer' });
      const refused = await write(letIn);
      expect([refused.status, refused.body.message, refused.headers['www-authenticate']]).toEqual([
        403,
        'This role (viewer) lacks the permission (scope) `project_configuration:integrations:read_write`.',
        undefined,
      ]);
      expect(await works(letIn)).toBe(true);
      await ada.session.delete(`${path()}/collaborators/${id}`);
      const gone = await letIn.client.get(path());
      expect([gone.status, gone.headers['www-authenticate']]).toEqual([
        401,
        `Bearer error="invalid_token", resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="project:read"`,
      ]);
      expect(errorOf(await postToken(server, refreshFields(letIn)))).toEqual([400, 'invalid_grant']);
      // A person who comes back lets the client in again.
      await server.dataSource.query(
        `INSERT INTO project_members (project_id, user_id, role, accepted_at) VALUES ($1, $2, 'admin', now())`,
        [ada.projectId, id],
      );
      expect(await works(letIn)).toBe(false);
    });

    it('leads to its own project only, and to nothing that is not of a project', async () => {
      const eve = await signUp(server);
      const letIn = await letClientIn(server, ada);
      const { body } = await letIn.client.get('/v2/projects');
      expect(body.items.map(({ id }: Fields) => id)).toEqual([ada.projectId]);
      const table: [string, string, number][] = [
        ['GET', path(eve.projectId), 404],
        ['GET', `${path(eve.projectId)}/customers`, 404],
        ['POST', '/v2/projects', 403],
        ['DELETE', path(), 403],
        ['POST', `${path()}/invites`, 403],
        ['DELETE', `${path()}/collaborators/x`, 403],
        ['POST', `${path()}/api_keys`, 403],
        ['GET', '/auth/me', 403],
        ['GET', '/auth/oauth_tokens', 403],
        ['GET', '/v1/subscribers/ada', 403],
        ['POST', '/v1/receipts', 403],
        ['GET', '/v1/customer', 401],
      ];
      for (const [method, url, status] of table) {
        const answer = await letIn.client.send(method, url, method === 'POST' ? {} : undefined);
        expect([method, url, answer.status]).toEqual([method, url, status]);
      }
    });

    it('leaves the client and its grant in the audit log', async () => {
      const letIn = await letClientIn(server, ada);
      await letIn.client.post(`${path()}/entitlements`, { lookup_key: 'gold', display_name: 'Gold' });
      const [created] = await auditOf('oauth_grant_created');
      const [entry] = await auditOf('entitlement_created');
      expect(entry).toMatchObject({
        actor_type: 'oauth_client',
        actor_identifier: letIn.clientId,
        additional_data: { grant_id: created?.target_identifier },
      });
    });

    it('works only in the header, and in no other form', async () => {
      const { tokens } = await letClientIn(server, ada);
      const token = tokens.access_token;
      expect((await server.http.get(`/v2/projects?access_token=${token}`)).status).toBe(401);
      for (const key of [
        `${token}x`,
        token.toUpperCase(),
        'atk_',
        `atk_${'A'.repeat(43)}`,
        tokens.refresh_token,
      ]) {
        expect((await server.http.withKey(key).get('/v2/projects')).status).toBe(401);
      }
      expect((await server.http.with({ authorization: token }).get('/v2/projects')).status).toBe(401);
    });
  });

  describe('a grant', () => {
    it("appears in the person's list, who can end it: refused at the next call, on every replica", async () => {
      const replica = await startTestServer({
        databaseUrl: server.databaseUrl,
        clock: server.clock,
        env: { SERVICE_OAUTH_CIMD: 'false', SERVICE_DASHBOARD: 'false' },
      });
      try {
        const person = await joinAs(server, 'admin', ada.projectId);
        const one = await letClientIn(server, person, ALL);
        server.clock.advanceMs(1000);
        const two = await letClientIn(server, { ...person, projectId: ada.projectId }, 'project:read');
        const elsewhere = { client: replica.http.withKey(two.tokens.access_token) };
        expect(await works(elsewhere)).toBe(true);
        const { body } = await person.session.get('/auth/oauth_tokens');
        expect(body.items).toEqual([
          {
            object: 'oauth_grant',
            id: expect.stringMatching(/^oag_/),
            client_id: two.clientId,
            client_name: 'Example agent',
            client_host: 'agent.example.com',
            project_id: ada.projectId,
            project_name: 'Acme <b>"1"</b>',
            scopes: ['project:read'],
            created_at: server.clock.nowMs(),
            last_used_at: server.clock.nowMs(),
            expires_at: server.clock.nowMs() + 30 * DAY_MS,
          },
          expect.objectContaining({ project_id: person.projectId, last_used_at: null }),
        ]);
        const { body: paged } = await person.session.get('/auth/oauth_tokens?limit=1');
        const { body: rest } = await person.session.get(paged.next_page as string);
        expect(rest.items).toEqual([body.items[1]]);
        const [{ id }] = body.items;
        expect((await ada.session.delete(`/auth/oauth_tokens/${id}`)).status).toBe(404);
        expect((await person.session.delete(`/auth/oauth_tokens/${id}`)).status).toBe(200);
        expect([await works(elsewhere), await works(two), await works(one)]).toEqual([false, false, true]);
        expect((await person.session.delete(`/auth/oauth_tokens/${id}`)).status).toBe(404);
        const [entry] = await auditOf('oauth_grant_revoked');
        expect(entry).toMatchObject({
          target_identifier: id,
          actor_type: 'user',
          actor_identifier: person.email,
        });

        const signedOut = await replica.http.get(
          authorizePath({ client_id: clientId, code_challenge: newPkce().challenge }),
        );
        expect([signedOut.status, signedOut.text.includes('does not serve the dashboard')]).toEqual([
          403,
          true,
        ]);
        const signedIn = await replica.http
          .withCookie(person.cookie)
          .get(authorizePath({ client_id: clientId, code_challenge: newPkce().challenge }));
        expect([signedIn.status, signedIn.text.includes('stylesheet')]).toEqual([200, false]);
        expect(signedIn.text).toContain('value="allow"');
        const off = await replica.http.get(authorizePath({ client_id: 'https://agent.example.com/c.json' }));
        expect(off.status).toBe(400);
        const { body: metadata } = await replica.http.get('/.well-known/oauth-authorization-server');
        expect(metadata.client_id_metadata_document_supported).toBe(false);
        const unknown = { ...refreshFields(one), client_id: 'https://agent.example.com/c.json' };
        expect(errorOf(await postToken(replica, unknown))).toEqual([401, 'invalid_client']);
      } finally {
        await replica.close();
      }
    });

    it('ends when its client gives either token back; unknown tokens and other clients change nothing', async () => {
      const other = await registerClient(server);
      const revoke = (fields: Fields) => server.http.send('POST', '/oauth/revoke', formOf(fields), FORM);
      for (const kind of ['access_token', 'refresh_token'] as const) {
        server.clock.advanceMs(1000);
        const letIn = await letClientIn(server, ada, 'project:read');
        const token = letIn.tokens[kind];
        expect((await revoke({ token: 'unknown' })).status).toBe(200);
        expect((await revoke({ token, client_id: other })).status).toBe(200);
        expect(await works(letIn)).toBe(true);
        expect((await revoke({ token, client_id: letIn.clientId, token_type_hint: 'x' })).status).toBe(200);
        expect(await works(letIn)).toBe(false);
        expect(errorOf(await postToken(server, refreshFields(letIn)))).toEqual([400, 'invalid_grant']);
        const [entry] = await auditOf('oauth_grant_revoked');
        expect(entry).toMatchObject({ actor_type: 'oauth_client', actor_identifier: letIn.clientId });
      }
      expect(errorOf(await revoke({}))).toEqual([400, 'invalid_request']);
    });

    it('ends with a change of the password, the project and the account', async () => {
      const bob = await joinAs(server, 'admin', ada.projectId);
      const ofAcme = { ...bob, projectId: ada.projectId };
      const first = await letClientIn(server, ofAcme);
      const password = 'another horse battery';
      const change = { current_password: PASSWORD, password };
      expect((await bob.session.post('/auth/password/change', change)).status).toBe(200);
      expect(await works(first)).toBe(false);
      const [entry] = await auditOf('oauth_grant_revoked');
      expect(entry).toMatchObject({
        actor_identifier: bob.email,
        additional_data: { reason: 'password_changed' },
      });

      const [ofOwn, second] = [await letClientIn(server, bob), await letClientIn(server, ofAcme)];
      await bob.session.delete(path(bob.projectId));
      expect([await works(ofOwn), await works(second)]).toEqual([false, true]);
      expect(errorOf(await postToken(server, refreshFields(ofOwn)))).toEqual([400, 'invalid_grant']);
      expect((await bob.session.get('/auth/oauth_tokens')).body.items).toHaveLength(1);
      await bob.session.post('/auth/account/delete', { email: bob.email, password });
      expect(await works(second)).toBe(false);
    });

    it('deletes expired grants, and clients that were unused for 30 days', async () => {
      const rows = async (table: string): Promise<number> => {
        const [row] = await server.dataSource.query<[{ n: number }]>(
          `SELECT count(*)::int AS n FROM ${table}`,
        );
        return row.n;
      };
      const unused = await registerClient(server);
      server.clock.advanceMs(29 * DAY_MS);
      const used = await registerClient(server);
      ada.session = server.http.withCookie(await signInAgain(ada.email));
      const letIn = await letClientIn(server, ada, ALL, used);
      server.clock.advanceMs(DAY_MS + MINUTE_MS);
      await server.app.get(CleanupsJob).run();
      expect([
        await rows('oauth_grants'),
        await rows('oauth_grant_routes'),
        await rows('oauth_clients'),
      ]).toEqual([1, 3, 1]);
      expect((await ask({ client_id: unused })).status).toBe(400);
      expect((await postToken(server, refreshFields(letIn))).status).toBe(200);
      await server.dataSource.query('DELETE FROM oauth_clients');
      expect(await works(letIn)).toBe(false);
      clientId = await registerClient(server);
    });
  });

  describe('a client that is described at its address', () => {
    it('caches a fetched description for a while, and refuses an invalid one', async () => {
      const documents = await startClientDocuments();
      try {
        const id = documents.url;
        const page = await ask({ client_id: id });
        expect([page.status, page.text.includes(`<dd>${id}</dd>`)]).toEqual([200, true]);
        const letIn = await letClientIn(server, ada, 'project:read', id);
        expect([await works(letIn), documents.calls]).toEqual([true, 1]);
        server.clock.advanceMs(5 * MINUTE_MS);
        documents.change({ client_name: 'Renamed' });
        expect((await ask({ client_id: id })).text).toContain('Renamed');
        server.clock.advanceMs(5 * MINUTE_MS);
        for (const answer of [
          { status: 404 },
          { status: 302, headers: { location: id } },
          { type: 'text/html' },
          { change: { client_id: 'https://evil.example/client.json' } },
          { change: { client_secret: 'x' } },
          { change: { padding: 'x'.repeat(10_240) } },
          { change: { redirect_uris: ['https://evil.example/callback'] } },
        ]) {
          documents.answer(answer);
          const refused = await ask({ client_id: id });
          expect([answer, refused.status, refused.headers.location]).toEqual([answer, 400, undefined]);
        }
        expect((await ask({ client_id: `${id}/../x` })).status).toBe(400);
        expect((await postToken(server, refreshFields(letIn))).status).toBe(200);
        // No caller can make this server call others without a limit.
        const statuses = new Set<number>();
        for (let n = 0; n < 30; n++) statuses.add((await ask({ client_id: `${id}?${n}` })).status);
        expect([...statuses]).toEqual([400, 429]);
      } finally {
        await documents.stop();
      }
    });

    it('uses public addresses only, unless tests say otherwise', async () => {
      server.clock.advanceMs(60 * MINUTE_MS);
      const strict = await startTestServer({ databaseUrl: server.databaseUrl, clock: server.clock });
      try {
        for (const id of [
          'https://127.0.0.1/client.json',
          'https://169.254.169.254/latest',
          'http://127.0.0.1/c',
        ]) {
          const { status } = await strict.http.get(authorizePath({ client_id: id }));
          expect([id, status]).toEqual([id, 400]);
        }
      } finally {
        await strict.close();
      }
    });
  });

  it('requires a person: a secret key agrees to nothing', async () => {
    const { client } = await createSecretKey(ada.session, ada.projectId);
    const { status, headers } = await client.get(
      authorizePath({ client_id: clientId, code_challenge: newPkce().challenge }),
    );
    expect([status, headers.location?.startsWith('/login?next=')]).toEqual([302, true]);
  });
});
