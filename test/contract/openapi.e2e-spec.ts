import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { refusedOperations } from '../../src/customers/not-offered/refused-operations.js';
import { vendorOperations } from '../../src/platform/http/bodies/vendor-fields.js';
import { allPermissions } from '../../src/platform/principal/permissions.js';
import { eventBodyProblems } from '../support/event-bodies.js';
import { undeclaredFields } from '../support/vendor-object-fields.js';
import { vendorOperationList } from '../support/vendor-operation-list.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  'x-required-permissions'?: string[];
  'x-enterprise'?: string | true;
  tags?: string[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  content?: Record<string, { schema: { $ref?: string } }>;
  headers?: Record<string, object>;
}

describe('the OpenAPI document', () => {
  let server: TestServer;
  let operations: { name: string; path: string; method: string; operation: Operation }[];

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_EE_DEV: 'true' } });
    operations = Object.entries(server.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
        name: `${method} ${path}`,
        path,
        method,
        operation,
      })),
    );
  });

  afterAll(() => server.close());

  /** Common answers are described once, among the components. */
  const answerOf = (responses: Operation['responses'], status: string): Answer | undefined => {
    const response = responses[status];
    if (!response || !('$ref' in response)) return response;
    const name = response.$ref.split('/').at(-1) ?? '';
    return server.document.components?.responses?.[name] as Answer;
  };
  const v2 = () => operations.filter(({ path }) => path.startsWith('/v2/'));

  it('matches the committed one', () => {
    const file = new URL('../../docs/openapi.json', import.meta.url);
    const committed = JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
    expect(JSON.parse(JSON.stringify(server.document))).toEqual(committed);
  });

  it('gives every operation an id, a summary and one tag', () => {
    const bare = operations.filter(
      ({ operation }) => !operation.operationId || !operation.summary || operation.tags?.length !== 1,
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('describes every operation, with the permission it needs and the errors it answers', () => {
    const bare = operations.filter(({ operation }) => {
      const [own = '', ...rest] = (operation.description ?? '').split('**Needs**');
      const derived = rest.join('');
      const permissions = operation['x-required-permissions'] ?? [];
      const errors = Object.keys(operation.responses).filter((status) => status >= '400');
      const named = [...permissions, ...errors].every((text) => derived.includes(`\`${text}\``));
      return !/^[A-Z].{20,}[.]\s*$/s.test(own) || !named;
    });
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('names the permissions of every v2 operation, by which clients tell what a person may do', () => {
    const known: readonly string[] = allPermissions;
    const bare = v2().filter(({ operation }) => {
      // Permissions of an organization's members depend on their role in it.
      if (operation['x-enterprise'] !== undefined) return false;
      const permissions = operation['x-required-permissions'] ?? [];
      return permissions.length === 0 || !permissions.every((permission) => known.includes(permission));
    });
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('describes every tag, and shows none without operations', () => {
    const tags = server.document.tags ?? [];
    expect(tags.filter(({ description }) => !description)).toEqual([]);
    const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  });

  it('says how to get a key, where the server is, and what each credential is', () => {
    const { info, servers, components } = server.document;
    expect(info.description).toContain('/v2/projects/{project_id}/api_keys');
    expect(servers).toMatchObject([{ url: '/', description: 'This server' }]);
    const schemes = Object.values(components?.securitySchemes ?? {}) as { description?: string }[];
    expect(schemes).toHaveLength(5);
    expect(schemes.every(({ description = '' }) => description.length > 40)).toBe(true);
    expect(JSON.stringify(schemes)).not.toMatch(/JWT/);
  });

  it('lists the errors that every v2 operation may answer, in the v2 format', () => {
    const wrong = v2().flatMap(({ name, method, operation: { responses } }) =>
      ['400', '401', '403', '404', '429', '503', ...(method === 'post' ? ['409', '423'] : [])]
        .filter(
          (status) =>
            answerOf(responses, status)?.content?.['application/json']?.schema.$ref !==
            '#/components/schemas/V2ErrorDto',
        )
        .map((status) => `${name} ${status}`),
    );
    expect(wrong).toEqual([]);
  });

  it('says of every operation but health checks that it may answer 503', () => {
    const silent = operations.filter(
      ({ path, operation }) => /^\/(v1|v2|rcbilling|auth|oauth)\//.test(path) && !operation.responses['503'],
    );
    expect(silent.map(({ name }) => name)).toEqual(['get /v1/health', 'get /v1/health/connectivity']);
  });

  it('says of every operation with a body that it may answer 413', () => {
    const silent = operations.filter(({ operation }) => operation.requestBody && !operation.responses['413']);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('names Retry-After where a v2 operation may answer 429 and 503, also for a reason of its own', () => {
    const mute = v2().flatMap(({ name, operation: { responses } }) =>
      ['429', '503']
        .filter((status) => !answerOf(responses, status)?.headers?.['Retry-After'])
        .map((status) => `${name} ${status}`),
    );
    expect(mute).toEqual([]);
  });

  const served = () =>
    operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, ':')}`);
  const refused = refusedOperations.map(
    ({ method, path }) => `${method} /v2/projects/:/${path.replaceAll(/:[^/]+/g, ':')}`,
  );

  it("serves each of the vendor's operations, or refuses it with a reason", () => {
    const answered = new Set([...served(), ...refused]);
    expect(vendorOperationList.length).toBeGreaterThan(140);
    expect(vendorOperationList.filter((operation) => !answered.has(operation))).toEqual([]);
  });

  it("knows the vendor's names of operations in its list only", () => {
    const file = new URL('../../packages/node/vendor-operations.json', import.meta.url);
    const names = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const known = new Set(
      vendorOperationList.map((operation) => operation.replace(/ (?!\/)/, ' /v2/projects/:/')),
    );
    const routes = Object.values(names).map((route) => route.replaceAll(/\{[^}]+\}/g, ':'));
    expect(routes).toHaveLength(85);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
  });

  it('does not describe operations that it refuses', () => {
    expect(refused.filter((operation) => served().includes(operation))).toEqual([]);
  });

  it("leaves out our own fields in the answers of the vendor's operations that it serves", () => {
    const named = [...vendorOperations].flatMap(([path, methods]) =>
      methods.map((method) => `${method} ${path}`),
    );
    const shared = vendorOperationList.filter((operation) => served().includes(operation));
    expect(named.sort()).toEqual(shared.sort());
  });

  it("notices a field of our own in a vendor's object that no list names", () => {
    const entitlement = { object: 'customer.active_entitlement', entitlement_id: 'entl1', level: 1 };
    const answer = {
      object: 'customer',
      id: 'ada',
      test_clock_id: null,
      nickname: 'Ada',
      active_entitlements: { object: 'list', items: [entitlement], next_page: null, url: '/' },
    };
    expect(undeclaredFields('GET', '/v2/projects/p/customers/ada', 200, answer)).toEqual([
      expect.stringContaining('customer.nickname'),
      expect.stringContaining('customer.active_entitlement.level'),
    ]);
  });

  it('describes the bodies of events, and notices one that differs', () => {
    const alias = {
      type: 'SUBSCRIBER_ALIAS',
      id: 'E1',
      event_timestamp_ms: 1,
      sequence: 1,
      aliases: ['ada'],
    };
    const body = { ...alias, app_user_id: 'ada', original_app_user_id: 'ada', subscriber_attributes: {} };
    expect(eventBodyProblems(server.document, body)).toEqual([]);
    expect(eventBodyProblems(server.document, { ...body, sequence: '1', nickname: 'Ada' })).toEqual([
      'SubscriberAliasEventDto: /sequence must be integer',
      'SubscriberAliasEventDto does not declare nickname',
    ]);
    expect(eventBodyProblems(server.document, { type: 'CHURNED' })).toEqual([
      'WebhookEvent has no type CHURNED',
    ]);
  });

  it('offers an Idempotency-Key on every v2 POST and for spending currency, and on nothing else', () => {
    const offers = operations.filter(({ operation }) =>
      operation.parameters?.some((parameter) => parameter.name === 'Idempotency-Key'),
    );
    const posts = v2().filter(({ method }) => method === 'post');
    const spending = 'post /v1/customer/virtual_currencies/spend';
    expect(offers.map(({ name }) => name)).toEqual([spending, ...posts.map(({ name }) => name)]);
    expect(posts.length).toBeGreaterThan(15);
  });
});
