import { readFileSync } from 'node:fs';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../support/api-client.js';
import { createSecretKey, joinAs, type SignedUp } from '../support/arrange.js';
import { McpCaller, sendMcp } from '../support/arrange-mcp.js';
import { letClientIn } from '../support/arrange-oauth.js';
import { createTestStore, type TestStore } from '../support/arrange-store.js';
import { mcpArguments, type McpObjects } from '../support/mcp-arguments.js';
import { storeRefundRequests } from '../support/refund-fixture.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { ReadinessService } from '../../src/platform/observability/readiness.service.js';
import { toolDefinitions } from '../../src/agents/mcp/tools/index.js';

const MONEY_TOOLS = [
  'transfer_purchases',
  'delete_customer',
  'cancel_subscription',
  'extend_subscription',
  'refund_subscription',
  'refund_purchase',
  'answer_refund_request',
  'adjust_virtual_currency',
];
const READ = ['customer_information:*:read', 'project_configuration:*:read', 'charts_metrics:*:read'];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('POST /mcp', () => {
  let server: TestServer;
  let store: TestStore;
  let owner: Pick<SignedUp, 'session' | 'projectId'>;
  /** Holds all permissions. */
  let key: McpCaller;
  /** Caller from another project. */
  let stranger: McpCaller;
  let strangerStore: TestStore;

  const callerWith = async (permissions?: string[], of: TestStore = store): Promise<McpCaller> =>
    new McpCaller(server, (await createSecretKey(of.session, of.projectId, permissions)).key);
  /** A client with a token of the person. */
  const granted = async (scope: string, person = owner): Promise<McpCaller> =>
    new McpCaller(server, (await letClientIn(server, person, scope)).tokens.access_token);

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        SERVICE_ALLOW_SIGNUP: 'true',
        SERVICE_TRUST_PROXY: 'true',
        SERVICE_MCP_ORIGINS: 'https://inspector.example.org',
      },
    });
    store = await createTestStore(server);
    strangerStore = await createTestStore(server);
    owner = { session: store.session, projectId: store.projectId };
    key = await callerWith();
    stranger = await callerWith(undefined, strangerStore);
  });

  afterAll(() => server.close());

  // The limit counts by the minute.
  beforeEach(() => server.clock.advanceMs(60_000));

  const buy = async (customer: string, product: 'monthly' | 'lifetime', of = store): Promise<Json> => {
    const made = await of.backend.post(`${of.path}/test_purchases`, {
      app_user_id: customer,
      product_id: of.products[product].id,
    });
    expect(made.status).toBe(201);
    return made.body;
  };

  const exports = new Map<string, string>();
  const arrangeExport = async (made: (at: string, body: object) => Promise<Json>): Promise<string> => {
    const destination = await made('integrations/exports/destinations', {
      name: 'Bucket',
      kind: 's3',
      s3: { bucket: 'acme', access_key_id: 'key', secret_access_key: 'secret' },
    });
    const { id } = await made('integrations/exports', {
      name: 'Every hour',
      destination_id: destination.id,
      datasets: [{ name: 'transactions', version: 5 }],
      format: 'csv',
      schedule: { frequency: 'hourly' },
    });
    return id;
  };

  /** One of each, new for each call: tools delete and change them. */
  const arrangeObjects = async (name: string, of = store): Promise<McpObjects> => {
    const customer = `${name}-customer`;
    await buy(customer, 'monthly', of);
    await buy(customer, 'lifetime', of);
    const { backend, path } = of;
    const made = async (at: string, body: object): Promise<Json> => {
      const answer = await backend.post(`${path}/${at}`, body);
      expect(answer.status).toBe(201);
      return answer.body;
    };
    const first = async (at: string): Promise<Json> => (await backend.get(`${path}/${at}`)).body.items[0];
    const product = await made('products', { store_identifier: name, app_id: of.appId, type: 'consumable' });
    const entitlement = await made('entitlements', { lookup_key: name, display_name: name });
    const offering = await made('offerings', { lookup_key: name, display_name: name });
    const pack = await made(`offerings/${offering.id}/packages`, { lookup_key: name, display_name: name });
    const sold = await made('offerings', { lookup_key: `${name}-sold`, display_name: name });
    await made(`offerings/${sold.id}/packages`, { lookup_key: '$rc_annual', display_name: name });
    const paywall = await made('paywalls', { offering_id: sold.id, template_id: 'simple' });
    const webhook = await made('integrations/webhooks', { name, url: 'http://127.0.0.1:9/a' });
    await backend.post(`${path}/integrations/webhooks/${webhook.id}/test`);
    // A project has a limited number of exports, and no tool changes one.
    exports.set(path, exports.get(path) ?? (await arrangeExport(made)));
    const destination = await made('integrations/destinations', {
      type: 'segment',
      settings: { write_key: 'aBcDeFgHiJkLmNoP' },
    });
    const refundRequest = `rfrq-${name}`;
    const apps = { app_store: of.appId, play_store: of.appId };
    await storeRefundRequests(server.dataSource, { projectId: of.projectId, apps, policyId: 'rfpl1' }, [
      { id: refundRequest, day: 2, answerStatus: 'waiting' },
    ]);
    return {
      customer,
      refundRequest,
      app: of.appId,
      product: product.id,
      entitlement: entitlement.id,
      offering: offering.id,
      package: pack.id,
      paywall: paywall.id,
      subscription: (await first(`customers/${customer}/subscriptions`)).id,
      purchase: (await first(`customers/${customer}/purchases`)).id,
      webhook: webhook.id,
      destination: destination.id,
      export: exports.get(path) as string,
      delivery: (await first(`webhooks/${webhook.id}/deliveries`)).id,
    };
  };

  describe('a request', () => {
    const send = (headers: Record<string, string>, body: unknown = LIST, method = 'POST') =>
      sendMcp(server, typeof body === 'string' ? body : JSON.stringify(body), headers, method);
    const authorization = (): string => `Bearer ${key.token}`;

    it('learns where to get a token without one', async () => {
      for (const method of ['initialize', 'ping', 'tools/list', 'server/discover', 'tools/call']) {
        const answer = await send({}, { ...LIST, method });
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="project:read"`,
        );
      }
      const session = await send({ cookie: (owner.session as Json).defaults.cookie as string });
      expect(session.status).toBe(401);
    });

    it.each([
      ['an unknown key', () => `Bearer sk_${'0'.repeat(48)}`],
      ['an unknown token', () => `Bearer atk_${'A'.repeat(43)}`],
      ['a bare key', () => key.token],
      ['a public key', () => `Bearer ${store.publicKey}`],
      ['nothing at all', () => 'Bearer'],
    ])('has no valid token with %s', async (_, credential) => {
      const answer = await send({ authorization: credential() });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain(
        'Bearer error="invalid_token", resource_metadata=',
      );
    });

    it('ignores a slash at the end of the path', async () => {
      const slashed = (headers: Record<string, string>, path = '/mcp/') =>
        sendMcp(server, JSON.stringify(LIST), headers, 'POST', path);
      const listed = await slashed({ authorization: authorization() });
      expect([listed.status, listed.text]).toEqual([200, (await key.send(LIST)).text]);
      const unknown = await slashed({});
      expect([unknown.status, unknown.headers['www-authenticate']]).toEqual([
        401,
        `Bearer resource_metadata="${server.baseUrl}/.well-known/oauth-protected-resource/mcp/", scope="project:read"`,
      ]);
      for (const method of ['GET', 'DELETE', 'HEAD']) {
        const { status, headers } = await sendMcp(server, '', {}, method, '/mcp/');
        expect([status, headers.allow]).toEqual([405, 'POST']);
      }
      expect((await slashed({ origin: 'https://evil.example' })).status).toBe(403);
      const typed = { authorization: authorization(), 'content-type': 'text/plain' };
      expect((await slashed(typed)).status).toBe(415);
      for (const path of ['/mcp//', '//mcp/'])
        expect((await slashed({ authorization: authorization() }, path)).status).toBe(404);
    });

    it('ignores the key in the query', async () => {
      const answer = await fetch(`${server.baseUrl}/mcp?access_token=${key.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(LIST),
      });
      expect(answer.status).toBe(401);
    });

    it.each(['GET', 'DELETE', 'HEAD', 'PUT', 'PATCH'])('refuses %s', async (method) => {
      const answer = await send({ authorization: authorization() }, '', method);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    });

    it.each([
      ['of another site', { origin: 'https://evil.example' }],
      ['of a page without a site', { origin: 'null' }],
      ['sent to another host', { host: 'evil.example' }],
      ['sent to another host with a port', { host: 'evil.example:8787' }],
    ])('%s is refused before its token is looked at', async (_, headers) => {
      for (const token of [{}, { authorization: authorization() }]) {
        expect((await send({ ...headers, ...token } as Record<string, string>)).status).toBe(403);
      }
      expect((await send(headers as Record<string, string>, '', 'OPTIONS')).status).toBe(403);
    });

    it('allows pages of an allowed origin to read the answer', async () => {
      for (const origin of ['https://inspector.example.org', 'http://localhost:6274']) {
        const preflight = await send(
          { origin, 'access-control-request-headers': 'authorization' },
          '',
          'OPTIONS',
        );
        expect([preflight.status, preflight.text]).toEqual([204, '']);
        expect(preflight.headers['access-control-allow-headers']).toBe('authorization');
        for (const token of [{}, { authorization: authorization() }]) {
          const answer = await send({ origin, ...token } as Record<string, string>);
          expect(answer.headers['access-control-allow-origin']).toBe(origin);
          expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
        }
      }
      const program = await send({}, '', 'OPTIONS');
      expect([program.status, program.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    });

    it.each([
      ['a batch', [LIST, LIST], 400, -32600],
      ['an empty batch', [], 400, -32600],
      ['a batch of 5,000', Array.from({ length: 5_000 }, () => LIST), 400, -32600],
      ['a batch of lists', ` ${'['.repeat(100)}${']'.repeat(100)}`, 400, -32600],
      ['a stream of changes', { ...LIST, method: 'subscriptions/listen' }, 404, -32601],
    ])('refuses %s', async (_, body, status, code) => {
      const answer = await send({ authorization: authorization() }, body);
      expect([answer.status, answer.message.error.code]).toEqual([status, code]);
    });

    it('refuses 2 MB as too large; without a token it is not read', async () => {
      const body = { ...LIST, params: { padding: 'x'.repeat(2_000_000) } };
      expect((await send({ authorization: authorization() }, body)).status).toBe(413);
      const token = { authorization: `Bearer atk_${'A'.repeat(43)}` };
      for (const headers of [{}, token]) {
        const refused = await send(headers, body);
        expect(refused.status).toBe(401);
        expect(refused.headers['www-authenticate']).toMatch(
          /^Bearer (error="invalid_token", )?resource_metadata=/,
        );
      }
    });

    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const call = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_apps","arguments":${args}}}`;
    it.each([
      ['nothing', ''],
      ['half of a message', '{"jsonrpc":"2.0","id":1,'],
      ['a number', '1'],
      ['null', 'null'],
      ['a text', '"tools/list"'],
      ['no method', '{"jsonrpc":"2.0","id":1}'],
      ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":{}}'],
      ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
      ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
      ['parameters that are a text', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}'],
      [
        'a name that is a list',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["get_project"]}}',
      ],
      ['arguments that are a list', call('[]')],
      ['arguments that are deep', call(deep(60))],
      ['arguments that are too deep', call(deep(5_000))],
      ['a name of every object', call('{"__proto__":{"x":1}}')],
      ['a tool that is a method of objects', call('{}').replace('list_apps', 'constructor')],
      ['many fields', call(`{${Array.from({ length: 4_000 }, (_, n) => `"f${n}":1`).join()}}`)],
      ['no UTF-8', '\u0000\u0001'],
      [
        'version fields that are wrong',
        call('{}').replace(
          '"arguments"',
          '"_meta":{"io.modelcontextprotocol/protocolVersion":[]},"arguments"',
        ),
      ],
    ])('survives %s without a server failure', async (_, body) => {
      const answer = await send({ authorization: authorization() }, body);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(/at .*\.[jt]s|node_modules|SELECT/);
    });

    it('refuses another media type unread', async () => {
      const answer = await send({ authorization: authorization(), 'content-type': 'text/plain' }, 'hello');
      expect(answer.status).toBe(415);
    });

    it.each([
      ['application/json', 'application/json'],
      ['text/event-stream', 'text/event-stream'],
      ['*/*', 'application/json'],
      ['', 'application/json'],
      ['application/*', 'application/json'],
      ['application/json;q=0, text/event-stream', 'text/event-stream'],
    ])('answers Accept %j with %s', async (accept, type) => {
      for (const method of ['ping', 'tools/list']) {
        const both = await send({ authorization: authorization() }, { ...LIST, method });
        const answer = await send({ authorization: authorization(), accept }, { ...LIST, method });
        expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
        expect(answer.text.startsWith('event: ')).toBe(type === 'text/event-stream');
        expect(answer.message).toEqual(both.message);
      }
    });

    it('refuses clients that accept neither JSON nor a stream, except for notifications', async () => {
      const headers = { authorization: authorization(), accept: 'text/html' };
      const { status, message } = await send(headers);
      expect([status, message.error.code, message.id]).toEqual([406, -32000, 1]);
      expect(message.error.message).toMatch(/application\/json.*text\/event-stream/);
      const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
      const accepted = await send(headers, notification);
      expect([accepted.status, accepted.text]).toEqual([202, '']);
    });

    it('accepts it without an id, and returns nothing', async () => {
      const answer = await send(
        { authorization: authorization() },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      );
      expect([answer.status, answer.text]).toEqual([202, '']);
    });

    it('needs no session, and none is begun', async () => {
      const initialize = {
        ...LIST,
        method: 'initialize',
        params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      };
      const headers = { authorization: authorization(), 'mcp-session-id': 'old', 'last-event-id': '7' };
      const answer = await send(headers, initialize);
      expect(answer.status).toBe(200);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect(answer.message.result).toMatchObject({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'tenure' },
      });
      expect(answer.message.result.instructions.length).toBeLessThanOrEqual(1_000);
    });

    describe('of the revision 2026-07-28', () => {
      const modern = (
        method: string,
        params: object = {},
        version = '2026-07-28',
        more: Record<string, string> = {},
      ) =>
        send(
          {
            authorization: authorization(),
            'mcp-protocol-version': version,
            'mcp-method': method,
            ...('name' in params && { 'mcp-name': String(params.name) }),
            ...more,
          },
          {
            jsonrpc: '2.0',
            id: 7,
            method,
            params: {
              ...params,
              _meta: {
                'io.modelcontextprotocol/protocolVersion': version,
                'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': {},
              },
            },
          },
        );

      it('discovers the server', async () => {
        const answer = await modern('server/discover');
        expect(answer.headers['content-type']).toContain('application/json');
        expect(answer.message.result).toMatchObject({
          supportedVersions: expect.arrayContaining(['2026-07-28']),
          capabilities: { tools: { listChanged: false } },
        });
      });

      it('caches the list of tools for five minutes', async () => {
        const { result } = (await modern('tools/list')).message;
        expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' });
      });

      it('gets the answer in the form that the client takes', async () => {
        const json = await modern('tools/list', {}, undefined, { accept: '*/*' });
        const event = await modern('tools/list', {}, undefined, { accept: 'text/event-stream' });
        expect(json.headers['content-type']).toContain('application/json');
        expect([event.headers['content-type'], event.text.startsWith('event: ')]).toEqual([
          'text/event-stream',
          true,
        ]);
        expect(event.message).toEqual(json.message);
      });

      it('gets what the older protocol gets', async () => {
        const { result } = (await modern('tools/call', { name: 'get_project', arguments: {} })).message;
        expect(JSON.parse(result.content[0].text)).toEqual((await key.call('get_project')).value);
        expect(result.structuredContent).toEqual(JSON.parse(result.content[0].text));
      });

      it('has headers that agree with the body', async () => {
        for (const [header, value] of [
          ['mcp-name', 'list_apps'],
          ['mcp-method', 'tools/list'],
        ] as const) {
          const more = { [header]: value };
          const answer = await modern('tools/call', { name: 'get_project' }, '2026-07-28', more);
          expect([answer.status, answer.message.error.code]).toEqual([400, -32020]);
        }
      });

      it('names a version that is known', async () => {
        const answer = await modern('tools/list', {}, '2030-01-01');
        expect([answer.status, answer.message.error.code]).toEqual([400, -32022]);
        expect(answer.message.error.data).toEqual({ supported: ['2026-07-28'], requested: '2030-01-01' });
      });

      it.each(['resources/list', 'prompts/list', 'subscriptions/listen', 'nothing/known'])(
        'finds no method %s',
        async (method) => {
          const answer = await modern(method);
          expect([answer.status, answer.message.error.code]).toEqual([404, -32601]);
        },
      );
    });
  });

  describe('the official clients', () => {
    const url = () => new URL(`${server.baseUrl}/mcp`);
    const requestInit = () => ({ headers: { authorization: `Bearer ${key.token}` } });
    const check = async (client: Pick<ClientV1, 'listTools' | 'callTool' | 'close'>): Promise<void> => {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(toolDefinitions.length);
      const { structuredContent } = await client.callTool({ name: 'list_products', arguments: { limit: 2 } });
      expect(structuredContent).toEqual((await key.call('list_products', { limit: 2 })).value);
      await client.close();
    };

    it('lists and calls with version 1', async () => {
      const client = new ClientV1({ name: 'test', version: '1' });
      await client.connect(new TransportV1(url(), { requestInit: requestInit() }));
      await check(client);
    });

    it.each([
      ['by default', undefined, '2025-11-25'],
      ['that look what the server speaks', { mode: 'auto' as const }, '2026-07-28'],
      ['that speak the newest protocol', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
    ])('lists and calls with version 2 (%s)', async (_, versionNegotiation, version) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
      await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: requestInit() }));
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      await check(client as never);
    });
  });

  describe('the list of tools', () => {
    it('has a valid schema with a described property for each argument', async () => {
      const tools = await key.tools();
      const ajv = new Ajv2020({ strict: false });
      for (const { name, title, description, inputSchema, outputSchema } of tools) {
        expect([name, title !== '', description.length > 20, outputSchema]).toEqual([
          name,
          true,
          true,
          undefined,
        ]);
        expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(JSON.stringify(inputSchema)).not.toContain('$ref');
        for (const [property, schema] of Object.entries(inputSchema.properties)) {
          expect(`${name}.${property}: ${(schema as Json).description}`).toMatch(/: \S/);
        }
        ajv.compile(inputSchema);
      }
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
      expect(tools.map(({ name }) => name)).toEqual(toolDefinitions.map(({ name }) => name));
    });

    it('takes bounds and enumerations from REST', async () => {
      const tools = new Map((await key.tools()).map((tool) => [tool.name, tool]));
      const propertiesOf = (name: string): Json => tools.get(name).inputSchema.properties;
      expect(propertiesOf('create_product').type.enum).toContain('non_renewing_subscription');
      expect(propertiesOf('create_product').store_identifier).toMatchObject({ minLength: 1, maxLength: 200 });
      expect(propertiesOf('detach_products_from_package').product_ids).toMatchObject({
        minItems: 1,
        maxItems: 50,
      });
      expect(propertiesOf('list_apps').limit).toMatchObject({ minimum: 1, maximum: 50 });
      expect(tools.get('create_product').inputSchema.required).toEqual([
        'app_id',
        'store_identifier',
        'type',
      ]);
    });

    it('says what a tool does', async () => {
      const hints = new Map((await key.tools()).map(({ name, annotations }) => [name, annotations]));
      expect(hints.get('get_customer')).toEqual({ readOnlyHint: true, openWorldHint: false });
      expect(hints.get('update_app')).toEqual({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(hints.get('refund_subscription')).toMatchObject({ destructiveHint: true, openWorldHint: true });
    });

    it('appears in the documentation', () => {
      const text = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
      const missing = toolDefinitions.filter(({ name }) => !text.includes(`\`${name}\``));
      expect(missing.map(({ name }) => name)).toEqual([]);
    });

    it('returns the same text each time', async () => {
      expect((await key.rpc('tools/list')).text).toBe((await key.rpc('tools/list')).text);
    });

    it('takes and names no secret', async () => {
      const text = (await key.rpc('tools/list')).text;
      expect(text).not.toMatch(
        /authorization_header|private_key|shared_secret|stripe_secret|signing_secret"/,
      );
    });

    it('leaves out what a key may not do', async () => {
      const names = async (caller: McpCaller) => (await caller.tools()).map(({ name }) => name as string);
      const reading = toolDefinitions.filter(({ effect }) => effect === 'read').map(({ name }) => name);
      expect(await names(await callerWith(READ))).toEqual(reading);
      expect(await names(await callerWith(['project_configuration:apps:read']))).toEqual([
        'list_apps',
        'get_app',
        'list_public_api_keys',
        'get_app_store_settings',
        'verify_store_credentials',
        'get_setup_health',
      ]);
    });
  });

  describe('every tool', () => {
    const argumentNames = toolDefinitions.map(({ name }) => name);
    let objects: McpObjects;
    let args: Record<string, Json>;

    beforeAll(async () => {
      objects = await arrangeObjects('every');
      args = mcpArguments(objects);
      const body = { code: 'GLD', name: 'Gold' };
      await store.backend.post(`${store.path}/virtual_currencies`, body);
    });

    it('has arguments in this suite', () => {
      expect(Object.keys(args).sort()).toEqual([...argumentNames].sort());
    });

    it('refuses a key without its permission, naming the permission', async () => {
      const caller = await callerWith(['charts_metrics:charts:read']);
      for (const name of argumentNames) {
        const { answer } = await caller.call(name, args[name] as object);
        expect([name, answer.status, answer.message.error.code]).toEqual([name, 403, -32000]);
        expect(answer.message.error.message).toMatch(
          /^This key lacks the permission \(scope\) `[a-z_:]+`\.$/,
        );
        // Without `error`, so that clients do not ask a person for scopes.
        expect([answer.message.id, answer.headers['www-authenticate']]).toEqual([
          1,
          `Bearer error_description="${answer.message.error.message}"`,
        ]);
      }
    });

    it.each([
      ['project:read', (effect: string) => effect === 'read'],
      [
        'project:read project:write',
        (effect: string, name: string) => effect === 'read' || !MONEY_TOOLS.includes(name),
      ],
    ])('needs the scopes of what it does (%s)', async (scope, isAllowed) => {
      const caller = await granted(scope);
      for (const { name, effect } of toolDefinitions) {
        if (isAllowed(effect, name)) continue;
        const { answer } = await caller.call(name, args[name] as object);
        const wanted = MONEY_TOOLS.includes(name) ? 'project:money' : 'project:write';
        expect([name, answer.status, answer.message.error.code]).toEqual([name, 403, -32000]);
        expect(answer.headers['www-authenticate']).toMatch(
          new RegExp(
            `^Bearer error="insufficient_scope", resource_metadata="[^"]+", scope="project:read[^"]*${wanted}[^"]*"$`,
          ),
        );
      }
    });

    it('hides and refuses tools that change something for a viewer, whatever the scopes', async () => {
      const viewer = await joinAs(server, 'viewer', store.projectId);
      const caller = await granted('project:read project:write project:money', {
        session: viewer.session,
        projectId: store.projectId,
      });
      const reading = toolDefinitions.filter(({ effect }) => effect === 'read').map(({ name }) => name);
      expect((await caller.tools()).map(({ name }) => name)).toEqual(reading);
      for (const { name, effect } of toolDefinitions) {
        if (effect === 'read') continue;
        const { answer } = await caller.call(name, args[name] as object);
        expect([name, answer.status]).toEqual([name, 403]);
        expect(answer.headers['www-authenticate']).toBeUndefined();
      }
    });

    it('shows and changes nothing of another project', async () => {
      const rows = async (): Promise<Json> =>
        server.dataSource.query(
          `SELECT (SELECT count(*) FROM audit_logs WHERE project_id = $1) AS audited,
             (SELECT count(*) FROM customers WHERE project_id = $1) AS customers`,
          [store.projectId],
        );
      const before = await rows();
      const ids = Object.values(objects);
      for (const name of argumentNames) {
        server.clock.advanceMs(60_000);
        const { status, value, isError } = await stranger.call(name, args[name] as object);
        expect([name, status]).toEqual([name, 200]);
        const echoed = JSON.stringify(isError ? {} : value);
        for (const id of ids.filter((known) => known !== objects.customer)) {
          expect([name, echoed.includes(id)]).toEqual([name, false]);
        }
        const named = Object.keys(args[name] as object).some((argument) =>
          /^(app|product|entitlement|offering|package|paywall|subscription|purchase|webhook|destination|export)_id/.test(
            argument,
          ),
        );
        // The products of an unknown app are none, and so are the paywalls of an unknown offering.
        if (named && !['list_products', 'list_paywalls'].includes(name))
          expect([name, isError]).toEqual([name, true]);
      }
      expect(await rows()).toEqual(before);
    });

    it('knows only its own project', async () => {
      for (const name of argumentNames) {
        server.clock.advanceMs(60_000);
        const { isError, value } = await key.call(name, {
          ...args[name],
          project_id: strangerStore.projectId,
        });
        expect([name, isError, value.param]).toEqual([name, true, 'project_id']);
      }
    });

    it('does what REST does, and is in the audit log by its name', async () => {
      const caller = await granted('project:read project:write project:money');
      const shared = await arrangeObjects('shared');
      /** Tools whose store answers that it cannot, in the words of REST. */
      const refusals: Record<string, string> = {
        cancel_subscription: 'unprocessable_entity_error',
        compare_store_products: 'unprocessable_entity_error',
        import_store_products: 'unprocessable_entity_error',
        extend_subscription: 'unprocessable_entity_error',
        verify_store_credentials: 'unprocessable_entity_error',
      };
      for (const [index, { name, effect }] of toolDefinitions.entries()) {
        // Within the limits of a minute, and all of them within the hour of a token.
        server.clock.advanceMs(30_000);
        // Tools that destroy get objects of their own.
        const fresh = effect === 'destructive' ? await arrangeObjects(`t${index}`) : shared;
        const given = mcpArguments(fresh)[name];
        const { isError, value, answer } = await caller.call(name, given);
        const note = `${name}: ${answer.text.slice(0, 400)}`;
        // The first attempt may still be waiting for the network.
        if (name === 'retry_webhook_delivery' && value.type === 'invalid_request') continue;
        if (refusals[name]) expect([note, value.type]).toEqual([note, refusals[name]]);
        else expect([note, isError]).toEqual([note, false]);
        expect([note, answer.text.length < 140_000]).toEqual([note, true]);
        expect([note, /whsec_|sk_[0-9a-f]{20}|signing_secret\\"/.test(answer.text)]).toEqual([note, false]);
        if (effect === 'read' || refusals[name]) continue;
        const [row] = await server.dataSource.query<Json[]>(
          `SELECT actor_type, additional_data ->> 'tool' AS tool FROM audit_logs
           WHERE project_id = $1 AND additional_data ->> 'tool' = $2`,
          [store.projectId, name],
        );
        expect([name, row]).toEqual([name, { actor_type: 'oauth_client', tool: name }]);
      }
    });
  });

  describe('a call', () => {
    it('answers an unknown tool with a protocol error', async () => {
      for (const name of ['refund_everything', 'toString', '', 'GET_PROJECT']) {
        const { answer } = await key.call(name);
        expect([answer.status, answer.message.error.code]).toEqual([200, -32602]);
      }
    });

    it.each([
      ['list_products', { limit: 'ten' }, 'limit'],
      ['list_products', { limit: 51 }, 'limit'],
      ['list_products', { colour: 'red' }, 'colour'],
      ['get_customer', {}, 'customer_id'],
      ['get_customer', { customer_id: 'half \ud800' }, 'customer_id'],
      ['set_customer_attributes', { customer_id: 'a', attributes: [{ name: '\udc00' }] }, 'attributes'],
      ['get_customer', { customer_id: '' }, 'customer_id'],
      ['get_customer', { customer_id: { id: 'x' } }, 'customer_id'],
      ['create_app', { name: 'x', type: 'play_store' }, 'package_name'],
      ['create_app', { name: 'x', type: 'windows' }, 'type'],
      [
        'create_webhook',
        { name: 'x', url: 'https://a.example', authorization_header: 'x' },
        'authorization_header',
      ],
      ['grant_entitlement', { customer_id: 'x', entitlement_id: 'pro', expires_at: 'soon' }, 'expires_at'],
      ['delete_customer', { customer_id: 'x', confirm: 'y' }, 'confirm'],
      ['get_metric_history', { metric: 'luck' }, 'metric'],
      ['list_audit_logs', { start_date: 'yesterday' }, 'start_date'],
    ])('names for %s with %j the argument %s', async (name, args, param) => {
      const { status, isError, value } = await key.call(name, args);
      expect([status, isError, value.type, value.param]).toEqual([200, true, 'parameter_error', param]);
      expect(value.message).toContain(param);
      expect(value.retryable).toBe(false);
    });

    it('takes lookup keys, store identifiers and durations', async () => {
      await buy('named', 'monthly');
      const entitlement = await key.call('get_entitlement', { entitlement_id: 'pro' });
      expect(entitlement.value.id).toBe(store.entitlements.pro.id);
      const packages = await key.call('list_packages', { offering_id: 'default' });
      expect(packages.value.items).toHaveLength(2);
      const attached = await key.call('attach_products_to_entitlement', {
        entitlement_id: 'pro',
        product_ids: ['coins_100', store.products.monthly.id],
      });
      expect(attached.isError).toBe(false);
      await key.call('detach_products_from_entitlement', {
        entitlement_id: 'pro',
        product_ids: ['coins_100'],
      });
      const granted = { customer_id: 'named', entitlement_id: 'pro', expires_at: '30d' };
      expect((await key.call('grant_entitlement', granted)).isError).toBe(false);
      const unknown = await key.call('get_entitlement', { entitlement_id: 'premium' });
      expect([unknown.isError, unknown.value.type]).toEqual([true, 'resource_missing']);
    });

    it('reads, changes and publishes a paywall without losing a part of it', async () => {
      const { value: made } = await key.call('create_paywall', {
        offering_id: 'default',
        template_id: 'two_plans',
      });
      const paywall = { paywall_id: made.id };
      const { value: read } = await key.call('get_paywall', paywall);
      expect(read).toMatchObject({ revision: 1, has_draft: true, published_revision: null });
      const { body } = await store.backend.get(`${store.path}/paywalls/${String(made.id)}?expand=components`);
      const { fonts, ...draft } = body.components.draft;
      expect([read, fonts]).toMatchObject([{ ...draft, problems: body.problems }, {}]);

      // Names that are masked in attributes.
      const texts = { ...draft.components_localizations.en_US, secret: 'Our secret', token: 'One token' };
      const state_declarations = { password_shown: { type: 'boolean', default: false } };
      const change = { components_localizations: { en_US: texts }, state_declarations };
      const { value: changed } = await key.call('update_paywall', { ...paywall, revision: 1, ...change });
      expect(changed).toMatchObject({ revision: 2, problems: body.problems });
      expect(changed).not.toHaveProperty('components');
      const parts = { fields: ['components_localizations', 'state_declarations'] };
      const { value: again } = await key.call('get_paywall', { ...paywall, ...parts });
      expect(again).toMatchObject(change);
      expect(again).not.toHaveProperty('components_config');

      const late = await key.call('update_paywall', { ...paywall, revision: 1, name: 'Late' });
      expect([late.isError, late.value.type]).toEqual([true, 'invalid_request']);
      expect((await key.call('publish_paywall', paywall)).value.published_at).toEqual(expect.any(Number));

      const long = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`t${n}`, 'x'.repeat(4_000)]));
      const longer = { components_localizations: { en_US: { ...texts, ...long } } };
      await key.call('update_paywall', { ...paywall, revision: 2, ...longer });
      const tooLong = await key.call('get_paywall', paywall);
      expect([tooLong.isError, tooLong.value.param]).toEqual([true, 'fields']);
      const { value: screen } = await key.call('get_paywall', { ...paywall, fields: ['components_config'] });
      expect(screen.components_config).toEqual(draft.components_config);

      await key.call('update_paywall', { ...paywall, revision: 3, components_config: { base: {} } });
      const refused = await key.call('publish_paywall', paywall);
      expect([refused.isError, refused.value.type]).toEqual([true, 'unprocessable_entity_error']);
    });

    it('returns the schema of paywalls by definitions', async () => {
      const { value: document } = await key.call('get_paywall_schema');
      expect(document).toMatchObject({ required: expect.arrayContaining(['components_config']) });
      for (const definition of document.definitions as string[]) {
        server.clock.advanceMs(1_000);
        const { isError, value } = await key.call('get_paywall_schema', { definition });
        expect([definition, isError, value.truncated]).toEqual([definition, false, undefined]);
      }
      const unknown = await key.call('get_paywall_schema', { definition: 'constructor' });
      expect([unknown.isError, unknown.value.param]).toEqual([true, 'definition']);
    });

    it('confines a path to its route', async () => {
      for (const id of [
        '..',
        '.',
        '../..',
        'a/../../apps',
        '%2e%2e',
        'a?limit=1',
        'a#b',
        '../../../../auth/me',
      ]) {
        const { isError, value } = await key.call('get_customer', { customer_id: id });
        expect([id, isError, ['resource_missing', 'parameter_error'].includes(value.type as string)]).toEqual(
          [id, true, true],
        );
        expect((await key.call('get_subscription', { subscription_id: id })).value.type).toBe(
          'resource_missing',
        );
      }
    });

    it('walks a list by its cursor', async () => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page = { limit: 1, ...(cursor !== null && { starting_after: cursor }) };
        const { value } = await key.call('list_offerings', page);
        found.push(...(value.items as Json[]).map(({ id }) => id as string));
        expect(value.has_more).toBe(value.next_cursor !== null);
        cursor = value.next_cursor as string | null;
      } while (cursor !== null);
      const all = await key.call('list_offerings', { limit: 50 });
      expect(found).toEqual((all.value.items as Json[]).map(({ id }) => id as string));
    });

    it('runs once for an idempotency key', async () => {
      const args = { lookup_key: 'once', display_name: 'Once', idempotency_key: 'key-1' };
      const first = await key.call('create_entitlement', args);
      expect((await key.call('create_entitlement', args)).value).toEqual(first.value);
      const other = await key.call('create_entitlement', { ...args, lookup_key: 'twice' });
      expect([other.isError, other.value.type]).toEqual([true, 'idempotency_error']);
      const again = await key.call('create_entitlement', { ...args, idempotency_key: 'key-2' });
      expect([again.isError, again.value.type, again.value.param]).toEqual([
        true,
        'resource_already_exists',
        'lookup_key',
      ]);
    });

    it('limits the answer for a customer with 1,000 purchases to 60,000 characters', async () => {
      await buy('collector', 'lifetime');
      const [purchase] = (await store.backend.get(`${store.path}/customers/collector/purchases`)).body.items;
      const columns = await server.dataSource.query<Json[]>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'one_time_purchases'
         AND column_name NOT IN ('id', 'purchase_key') AND is_generated = 'NEVER'`,
      );
      const names = columns.map(({ name }) => `"${name as string}"`).join();
      await server.dataSource.query(
        `INSERT INTO one_time_purchases (id, purchase_key, ${names})
         SELECT 'purch_many' || n, 'many' || n, ${names} FROM one_time_purchases, generate_series(1, 1000) n WHERE id = $1`,
        [purchase.id],
      );
      const { answer, value } = await key.call('get_customer', { customer_id: 'collector' });
      expect(answer.message.result.content[0].text.length).toBeLessThanOrEqual(60_000);
      expect(value.purchases.items).toHaveLength(20);
      expect(value.purchases.has_more).toBe(true);
    });

    it('cuts a long list where the next call continues', async () => {
      const metadata = { text: 'x'.repeat(3_900) };
      for (let n = 0; n < 20; n++) {
        const body = { lookup_key: `long-${n}`, display_name: 'Long', metadata };
        await store.backend.post(`${store.path}/offerings`, body);
      }
      const all: string[] = [];
      let cursor: string | undefined;
      do {
        const { answer, value } = await key.call('list_offerings', { limit: 50, starting_after: cursor });
        expect(answer.message.result.content[0].text.length).toBeLessThanOrEqual(60_000);
        all.push(...(value.items as Json[]).map(({ lookup_key }) => lookup_key as string));
        cursor = (value.next_cursor as string | null) ?? undefined;
      } while (cursor !== undefined);
      expect(all.filter((name) => name.startsWith('long-'))).toHaveLength(20);
    });

    it('hides attributes that are named like secrets', async () => {
      await buy('private', 'monthly');
      await key.call('set_customer_attributes', {
        customer_id: 'private',
        attributes: [
          { name: 'api_token', value: 'hush-hush' },
          { name: 'city', value: 'Ulm' },
        ],
      });
      for (const tool of ['get_customer', 'list_customer_events']) {
        const { answer } = await key.call(tool, { customer_id: 'private' });
        expect(answer.text).not.toContain('hush-hush');
      }
      expect((await key.call('get_customer', { customer_id: 'private' })).answer.text).toContain('Ulm');
    });

    it('counts as one of 120 a minute, and of 20 that move money', async () => {
      const caller = await callerWith();
      for (let n = 0; n < 20; n++) await caller.call('refund_purchase', { purchase_id: 'none' });
      const money = await caller.call('refund_purchase', { purchase_id: 'none' });
      expect([money.status, money.isError]).toEqual([200, true]);
      expect(money.value).toMatchObject({ type: 'rate_limit_error', retryable: true });
      expect(money.value.backoff_ms).toBeGreaterThan(0);
      expect((await caller.call('get_project')).isError).toBe(false);
      const rest = await Promise.all(Array.from({ length: 105 }, () => caller.call('get_project')));
      expect(rest.filter(({ value }) => value.type === 'rate_limit_error')).toHaveLength(6);
      expect((await key.call('get_project')).isError).toBe(false);
      server.clock.advanceMs(60_000);
      expect((await caller.call('get_project')).isError).toBe(false);
    });

    it('counts for each grant, even of one person and client', async () => {
      const { clientId, tokens } = await letClientIn(server, owner);
      const first = new McpCaller(server, tokens.access_token);
      const other = await letClientIn(server, owner, undefined, clientId);
      const second = new McpCaller(server, other.tokens.access_token);
      const isRefused = async (caller: McpCaller): Promise<boolean> =>
        (await caller.call('refund_purchase', { purchase_id: 'none' })).value.type === 'rate_limit_error';
      for (let n = 0; n < 20; n++) expect(await isRefused(first)).toBe(false);
      expect([await isRefused(first), await isRefused(second)]).toEqual([true, false]);
    });

    it('returns to its own caller beside others', async () => {
      const callers = [key, stranger, await granted('project:read')];
      const calls = Array.from({ length: 50 }, (_, n) => callers[n % 3] ?? key);
      const answers = await Promise.all(calls.map((caller) => caller.call('get_project')));
      for (const [n, { value }] of answers.entries()) {
        expect(value.id).toBe(calls[n] === stranger ? strangerStore.projectId : store.projectId);
      }
    });

    it('says nothing of the inside when the server fails', async () => {
      const lines: string[] = [];
      const second = await startTestServer({
        databaseUrl: server.databaseUrl,
        logTo: (line) => lines.push(line),
      });
      try {
        const caller = new McpCaller(second, key.token);
        expect((await caller.call('get_project')).isError).toBe(false);
        await second.dataSource.destroy();
        const { status, isError, value, answer } = await caller.call('get_project');
        expect([status, isError]).toEqual([200, true]);
        expect(value).toMatchObject({ type: 'server_error', retryable: true });
        expect(answer.text).not.toMatch(/pool|pg|driver|connect E|select|stack|127\.0\.0\.1/i);
        expect(lines.join()).toContain('"tool":"get_project"');
      } finally {
        await second.dataSource.initialize();
        await second.close();
      }
    });
  });

  it('goes elsewhere when a server stops', async () => {
    const second = await startTestServer({ databaseUrl: server.databaseUrl });
    try {
      second.app.get(ReadinessService).leave();
      const { status, headers } = await new McpCaller(second, key.token).rpc('tools/list');
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    } finally {
      await second.close();
    }
  });
});
