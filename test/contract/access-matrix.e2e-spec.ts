import type { OpenAPIObject } from '@nestjs/swagger';
import { permissionsWithin } from '../../src/platform/principal/oauth-scopes.js';
import { type Permission, rolePermissions } from '../../src/platform/principal/permissions.js';
import { letClientIn } from '../support/arrange-oauth.js';
import { startEnterpriseServer } from '../support/arrange-enterprise.js';
import { createSecretKey, joinAs } from '../support/arrange.js';
import { type SignedInCustomer, signInAnonymously, turnSignInOn } from '../support/arrange-sign-in.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { accessProblems, routesWithEffects, routesWithoutEffects } from '../support/route-effects.js';
import type { ApiClient } from '../support/api-client.js';
import type { TestServer } from '../support/test-server.js';

/** All that a nearly powerless key may do. */
const LITTLE = 'charts_metrics:charts:read';

/** They change nothing but files for their reader. */
const READING_ACTION =
  /\/actions\/(verify_credentials|evaluate|preview)$|\/destinations\/[^/]+\/preview$|\/customer_list_exports(\/[^/]+)?$|\/auth\/providers\/[^/]+\/actions\/test$/;

/** SDK routes whose answer is the same for every project and customer: they need no permission. */
const fixedSdkRoutes = [
  'GET /rcbilling/v1/checkout/{operation}',
  'GET /rcbilling/v1/hosted-checkout/{operation}',
  'GET /rcbilling/v1/hosted-checkout/{operation}/payment-status',
  'GET /rcbilling/v1/subscribers/{app_user_id}/offering_products',
  'GET /v1/config/{domain}',
  'GET /v1/customercenter/{app_user_id}',
  'GET /v1/subscribers/{app_user_id}/ads/reward_verifications/{client_transaction_id}',
  'GET /v1/subscribers/{app_user_id}/workflows',
  'GET /v1/subscribers/{app_user_id}/workflows/{workflow_id}',
  'PATCH /rcbilling/v1/checkout/{operation}',
  'POST /rcbilling/v1/checkout/prepare',
  'POST /rcbilling/v1/checkout/start',
  'POST /rcbilling/v1/checkout/{operation}/complete',
  'POST /rcbilling/v1/hosted-checkout',
  'POST /rcbilling/v1/purchase',
  'POST /v1/config/{domain}',
  'POST /v1/customercenter/support/create-ticket',
  'POST /v1/diagnostics',
  'POST /v1/events',
];

/** Outside both APIs, for everybody. */
const openRoutes = [
  'GET /',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/service-signing-key',
  'GET /auth/config',
  'GET /auth/invites/{token}',
  'GET /healthz',
  'GET /oauth/authorize',
  'GET /paywall-icons',
  'GET /readyz',
  'GET /schemas/paywall-document.json',
  'GET /sso/connections/{connection_id}/start',
  'GET /sso/oidc/{connection_id}/callback',
  'GET /sso/saml/{connection_id}/metadata',
  'GET /sso/start',
  'POST /auth/alerts/unsubscribe',
  'POST /auth/digests/unsubscribe',
  'POST /auth/email/change/confirm',
  'POST /auth/email/verify',
  'POST /auth/login',
  'POST /auth/login/2fa',
  'POST /auth/logout',
  'POST /auth/password/check',
  'POST /auth/password/forgot',
  'POST /auth/password/reset',
  'POST /auth/signup',
  'POST /oauth/authorize',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /sso/lookup',
  'POST /sso/saml/{connection_id}/acs',
];

/** Outside both APIs, for the public key of an app: native SDKs sign customers in and out here. */
const sdkAuthRoutes = ['/auth/revoke', '/auth/token'];

interface Operation {
  id: string;
  method: string;
  path: string;
  security: string[];
  permissions: string[];
  scope?: string;
  adminOnly: boolean;
  /** In the enterprise edition the role in an organization decides (test/e2e/organizations). */
  isEnterprise: boolean;
}

const takesOnlyTokens = ({ security }: Operation): boolean =>
  security.length === 1 && security[0] === 'customer_token';

/** Credentials that an operation takes; none if it can do without. */
function securityOf({ security = [] }: { security?: object[] }): string[] {
  const names = security.map((entry) => Object.keys(entry));
  return names.some(({ length }) => length === 0) ? [] : names.flat();
}

/** Every documented operation, so that a new route cannot escape the matrix. */
function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Record<string, unknown>>).map(([method, operation]) => ({
      id: operation.operationId as string,
      method: method.toUpperCase(),
      path,
      security: securityOf(operation),
      permissions: (operation['x-required-permissions'] ?? []) as string[],
      scope: operation['x-required-scope'] as string | undefined,
      adminOnly: operation['x-required-role'] === 'admin',
      isEnterprise: operation['x-enterprise'] !== undefined,
    })),
  );
}

describe('who may call what', () => {
  let server: TestServer;
  let store: TestStore;
  let other: TestStore;
  let stranger: ApiClient;
  let strangerSession: ApiClient;
  let powerless: ApiClient;
  let customer: SignedInCustomer;
  let strangeCustomer: SignedInCustomer;
  let operations: Operation[];

  beforeAll(async () => {
    server = await startEnterpriseServer();
    store = await createTestStore(server);
    other = await createTestStore(server);
    for (const { projectId } of [store, other]) await turnSignInOn(server, projectId);
    customer = await signInAnonymously(server, store);
    strangeCustomer = await signInAnonymously(server, other);
    stranger = (await createSecretKey(other.session, other.projectId)).client;
    strangerSession = other.session;
    powerless = (await createSecretKey(store.session, store.projectId, [LITTLE])).client;
    operations = operationsOf(server.document);
  });

  afterAll(() => server.close());

  const call = (client: ApiClient, { method, path }: Operation, projectId = store.projectId) => {
    const url = path.replace('{project_id}', projectId).replaceAll(/\{[^}]+\}/g, 'unknown-id');
    return client.send(method, url, method === 'POST' ? {} : undefined);
  };
  const below = (prefix: string): Operation[] => operations.filter(({ path }) => path.startsWith(prefix));

  it('takes a secret key or a session on every v2 route, which names its permissions', () => {
    const routes = below('/v2/');
    expect(routes.length).toBeGreaterThan(30);
    expect(routes.filter(({ security }) => !security.includes('session'))).toEqual([]);
    const unnamed = routes.filter(({ permissions }) => permissions.length === 0);
    expect(unnamed.filter(({ isEnterprise }) => !isEnterprise)).toEqual([]);
    const writes = routes.filter(
      ({ method, path, isEnterprise }) => !isEnterprise && method !== 'GET' && !READING_ACTION.test(path),
    );
    expect(
      writes.filter(({ permissions }) => !permissions.some((name) => name.endsWith(':read_write'))),
    ).toEqual([]);
  });

  it('names the effects of every route', () => {
    const named = [...Object.keys(routesWithEffects), ...routesWithoutEffects];
    expect(named.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it('allows no effect without the permission or proof that it needs', () => {
    const weak = operations.flatMap((operation) => {
      const effects = routesWithEffects[operation.id];
      return effects ? accessProblems(effects, operation).map((problem) => [operation.id, problem]) : [];
    });
    expect(weak).toEqual([]);
  });

  it('finds a route that asks for less than its effects need', () => {
    const operation = operations.find(({ id }) => id === 'importCustomers') as Operation;
    const permissions = ['customer_information:customers:read_write'];
    const effects = { effects: ['money' as const], needs: operation.permissions as Permission[] };
    expect(accessProblems(effects, { ...operation, permissions })).toEqual([
      'lacks the permission customer_information:subscriptions:read_write',
      'lacks the permission customer_information:purchases:read_write',
      'lets clients with project:write cause the effect money',
    ]);
    expect(accessProblems({ effects: ['owner'] }, { security: [], permissions: [] })).toEqual([
      'asks for no permission or proof',
    ]);
  });

  it('answers 401 on every v2 route without a credential, or with an unknown one', async () => {
    for (const operation of below('/v2/')) {
      for (const client of [
        server.http,
        server.http.withKey('sk_unknown'),
        server.http.withCookie('rd_session=x'),
      ]) {
        const answer = await call(client, operation);
        expect([operation.path, answer.status, answer.body.type]).toEqual([
          operation.path,
          401,
          'authentication_error',
        ]);
      }
    }
  });

  it('refuses a public key with 403 on every v2 route', async () => {
    for (const operation of below('/v2/')) {
      const answer = await call(store.sdk, operation);
      expect([operation.path, answer.status, answer.body.type]).toEqual([
        operation.path,
        403,
        'authorization_error',
      ]);
    }
  });

  it("answers 404 on every route of a project for another project's key", async () => {
    for (const operation of below('/v2/projects/{project_id}')) {
      if (!operation.security.includes('secret_key')) continue;
      const answer = await call(stranger, operation);
      expect([operation.path, answer.status, answer.body.type]).toEqual([
        operation.path,
        404,
        'resource_missing',
      ]);
    }
  });

  it('answers 404 on every route of a project to members of another project', async () => {
    for (const operation of below('/v2/projects/{project_id}')) {
      const answer = await call(strangerSession, operation);
      expect([operation.path, answer.status, answer.body.type]).toEqual([
        operation.path,
        404,
        'resource_missing',
      ]);
    }
  });

  it('allows no route outside the two APIs except for the known open ones and the account', async () => {
    const others = operations.filter(({ path }) => !/^\/(v1|v2|rcbilling)\//.test(path));
    const open = others.filter(({ security }) => security.length === 0);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(openRoutes);
    const credentialed = others.filter(({ security }) => security.length > 0);
    const ofSdks = credentialed.filter(({ security }) => security.join() === 'public_key');
    expect(ofSdks.map(({ path }) => path).toSorted()).toEqual(sdkAuthRoutes);
    for (const operation of credentialed.filter((one) => !ofSdks.includes(one))) {
      expect(operation.security).toEqual(['session']);
      const unknown = server.http.withCookie('rd_session=x');
      for (const [client, status] of [
        [server.http, 401],
        [unknown, 401],
        [store.backend, 403],
        [store.sdk, 403],
      ] as const) {
        expect([operation.path, (await call(client, operation)).status]).toEqual([operation.path, status]);
      }
    }
  });

  it('answers 404 for an unknown id anywhere, unless the body is refused first', async () => {
    for (const operation of below('/v2/projects/{project_id}')) {
      const ids = operation.path.match(/\{[^}]+\}/g) ?? [];
      if (ids.length < 2 || !operation.security.includes('secret_key')) continue;
      // An id can be blocked before its customer exists.
      if (operation.id === 'blockCustomerById') continue;
      const { status } = await call(store.backend, operation);
      // 422: what the route is about is not there at all. A chart is named, not stored: 400.
      const isChart = operation.path.includes('{chart_name}');
      const expected = isChart ? [400] : operation.method === 'GET' ? [404] : [400, 404, 422];
      expect([operation.method, operation.path, expected.includes(status), status]).toEqual([
        operation.method,
        operation.path,
        true,
        status,
      ]);
    }
  });

  it('refuses a key without the permission with 403 naming it, before anything else is checked', async () => {
    for (const operation of below('/v2/projects/{project_id}')) {
      const [needed] = operation.permissions;
      if (!operation.security.includes('secret_key') || needed === LITTLE) continue;
      const answer = await call(powerless, operation);
      expect([operation.path, answer.status]).toEqual([operation.path, 403]);
      expect(answer.body.message).toContain(`(scope) \`${needed}\``);
    }
  });

  it('refuses a key without the permission with 403 naming it on every SDK route that reads the project', async () => {
    const routes = [...below('/v1/'), ...below('/rcbilling/')].filter(({ security }) =>
      security.includes('secret_key'),
    );
    const open = routes.filter(({ permissions }) => permissions.length === 0);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(fixedSdkRoutes);
    for (const operation of routes) {
      const [needed] = operation.permissions;
      if (needed === undefined) continue;
      const answer = await call(powerless, operation);
      expect([operation.path, answer.status, answer.body.code]).toEqual([operation.path, 403, 7225]);
      expect(answer.body.message).toContain(needed);
    }
  });

  it.each(['developer', 'viewer'] as const)(
    'allows a %s what the role holds, and nothing more',
    async (role) => {
      const { session } = await joinAs(server, role, store.projectId);
      for (const operation of below('/v2/projects/{project_id}')) {
        const { path, method, permissions, adminOnly } = operation;
        const lacking = permissions.find((name) => !rolePermissions[role].has(name as Permission));
        const answer = await call(session, operation);
        if (lacking !== undefined) {
          const message = `This role (${role}) lacks the permission (scope) \`${lacking}\`.`;
          expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 403, message]);
        } else if (adminOnly) {
          expect([method, path, answer.status, answer.body.type]).toEqual([
            method,
            path,
            403,
            'authorization_error',
          ]);
        } else {
          expect([method, path, answer.status === 403]).toEqual([method, path, false]);
        }
      }
    },
  );

  it('asks for a known key in the SDK format on every SDK route', async () => {
    const routes = [...below('/v1/'), ...below('/rcbilling/')].filter(({ security }) => security.length > 0);
    expect(routes.length).toBeGreaterThan(5);
    for (const operation of routes) {
      for (const client of [server.http, server.http.withKey('test_unknown')]) {
        const answer = await call(client, operation);
        const code = takesOnlyTokens(operation) ? 7224 : 7225;
        expect([operation.path, answer.status, answer.body.code]).toEqual([operation.path, 401, code]);
      }
    }
  });

  /** Everything that needs a credential. */
  const guarded = (): Operation[] => operations.filter(({ security }) => security.length > 0);

  it.each([
    [['project:read'] as const],
    [['project:read', 'project:write'] as const],
    [['project:read', 'project:write', 'project:money'] as const],
  ])(
    'allows an OAuth client with %j what they include on REST v2 of its project, and nothing else',
    async (scopes) => {
      const { client } = await letClientIn(server, store, scopes.join(' '));
      const held = permissionsWithin(rolePermissions.admin, scopes);
      for (const operation of guarded()) {
        const { method, path, security, permissions, scope } = operation;
        const { status, body } = await call(client, operation);
        const isHeld = (name: string): boolean =>
          scope === undefined ? held.has(name as Permission) : scopes.some((given) => given === scope);
        const lacking = permissions.find((name) => !isHeld(name));
        if (!security.includes('oauth_token')) {
          expect([method, path, status]).toEqual([method, path, takesOnlyTokens(operation) ? 401 : 403]);
        } else if (lacking !== undefined) {
          const message = `This token lacks the permission (scope) \`${lacking}\`.`;
          expect([method, path, status, body.message]).toEqual([method, path, 403, message]);
        } else {
          expect([method, path, [401, 403].includes(status)]).toEqual([method, path, false]);
        }
      }
    },
  );

  it('refuses a token for the endpoint of agents on every other route', async () => {
    const resource = `${server.baseUrl}/mcp`;
    const { client } = await letClientIn(server, store, undefined, undefined, resource);
    for (const operation of guarded()) {
      const { method, path, security } = operation;
      const { status, headers } = await call(client, operation);
      const isForClients = security.includes('oauth_token');
      const expected = isForClients || takesOnlyTokens(operation) ? 401 : 403;
      expect([method, path, status]).toEqual([method, path, expected]);
      if (isForClients) expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  it('hides everything from an OAuth client of another project: 404 on every route of a project that takes one', async () => {
    const { client } = await letClientIn(server, other);
    const routes = below('/v2/projects/{project_id}').filter(({ security }) =>
      security.includes('oauth_token'),
    );
    expect(routes).toEqual(
      below('/v2/projects/{project_id}').filter(({ security }) => security.includes('secret_key')),
    );
    for (const operation of routes) {
      const answer = await call(client, operation);
      expect([operation.path, answer.status, answer.body.type]).toEqual([
        operation.path,
        404,
        'resource_missing',
      ]);
    }
  });

  it('opens the routes that take an access token, for its own customer, and no others', async () => {
    for (const { client } of [customer, strangeCustomer]) {
      for (const operation of guarded()) {
        const { method, path, security } = operation;
        const { status, body } = await call(client, operation);
        const isForeign = path.includes('{app_user_id}');
        if (!security.includes('customer_token')) {
          expect([method, path, status]).toEqual([method, path, 403]);
        } else if (isForeign) {
          expect([method, path, status, body.code]).toEqual([method, path, 401, 7224]);
        } else {
          expect([method, path, [401, 403].includes(status)]).toEqual([method, path, false]);
        }
      }
    }
  });

  it('refuses everything but an access token below /v1/customer with 401 and code 7224', async () => {
    const routes = operations.filter(takesOnlyTokens);
    const isBelow = ({ path }: Operation) => /^(\/rcbilling)?\/v1\/customer(\/|$)/.test(path);
    expect(routes).toEqual(operations.filter(isBelow));
    expect(routes.length).toBeGreaterThan(14);
    const { access_token: token, refresh_token: refreshToken, id_token: idToken } = customer.tokens;
    const [header = '', payload = '', signature = ''] = (token as string).split('.');
    const [, strangePayload = ''] = (strangeCustomer.tokens.access_token as string).split('.');
    const refused = [
      server.http,
      store.sdk,
      store.backend,
      store.session,
      server.http.withKey(idToken as string),
      server.http.withKey(refreshToken as string),
      server.http.withKey(`${header}.${payload}.${'A'.repeat(86)}`),
      server.http.withKey(`${header}.${strangePayload}.${signature}`),
      server.http.withKey(`${header}.${payload}.`),
    ];
    for (const operation of routes) {
      for (const [index, client] of refused.entries()) {
        const { status, body } = await call(client, operation);
        expect([operation.path, index, status, body.code]).toEqual([operation.path, index, 401, 7224]);
      }
    }
  });

  it('answers 401 for a token that is no valid access token', async () => {
    for (const operation of guarded()) {
      const answer = await call(server.http.withKey(customer.tokens.id_token as string), operation);
      expect([operation.method, operation.path, answer.status]).toEqual([
        operation.method,
        operation.path,
        401,
      ]);
    }
  });

  it('refuses an expired access token with 401 and code 7224 wherever one is taken', async () => {
    const { client } = await signInAnonymously(server, store);
    server.clock.advanceMs(3_600_000);
    for (const operation of guarded().filter(({ security }) => security.includes('customer_token'))) {
      const { status, body } = await call(client, operation);
      expect([operation.path, status, body.code]).toEqual([operation.path, 401, 7224]);
    }
  });

  it('requires unique operation ids, and nothing uses `nullable`', () => {
    const ids = Object.values(server.document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId?: string }>).map(
        ({ operationId }) => operationId,
      ),
    );
    expect(ids.filter((id) => id === undefined || !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(server.document)).not.toContain('"nullable"');
  });
});
