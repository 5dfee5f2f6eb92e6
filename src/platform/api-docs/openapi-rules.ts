import type { OpenAPIObject } from '@nestjs/swagger';
import { NEVER_REFUSED } from '../http/pipeline/admission.service.js';
import { type ApiFormat, apiFormat } from '../http/pipeline/request.js';
import { describeOperation } from './operation-description.js';
import { describePathParameters } from './path-parameters.js';

interface Answer {
  description?: string;
  content?: object;
  headers?: object;
}

interface Operation {
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, Answer | { $ref: string }>;
}

interface CommonAnswer {
  name: string;
  status: string;
  description: string;
  isWorthARetry?: boolean;
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to retry: for 24 hours, the same request with the same key returns the first response (with `Idempotent-Replayed: true`) and is not executed again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
};

const overloaded: CommonAnswer = {
  name: 'Overloaded',
  status: '503',
  description: 'The server has more requests than it can answer now, or its database cannot be reached.',
  isWorthARetry: true,
};

const rateLimited: CommonAnswer = {
  name: 'RateLimited',
  status: '429',
  description: 'More requests a minute than the server allows.',
  isWorthARetry: true,
};

const bodyTooLarge: CommonAnswer = {
  name: 'BodyTooLarge',
  status: '413',
  description: 'The body is larger than the server accepts.',
};

const keyReused: CommonAnswer = {
  name: 'IdempotencyKeyReused',
  status: '409',
  description: 'The Idempotency-Key was used before with another request.',
};

const keyInFlight: CommonAnswer = {
  name: 'IdempotencyKeyInFlight',
  status: '423',
  description: 'The first request with this Idempotency-Key is still in progress.',
};

const elsewhere: CommonAnswer = {
  name: 'Elsewhere',
  status: '421',
  description:
    "The project's data is in another `region`, served at `api_url` (only if regions are enforced).",
};

/** Routes that accept an `Idempotency-Key`, in addition to every POST of REST v2. */
const IDEMPOTENT_SDK_PATHS = new Set(['/v1/customer/virtual_currencies/spend']);

const API_PREFIXES = ['/v1/', '/v2/', '/rcbilling/', '/auth/', '/oauth/'];
const schemas: Record<ApiFormat, string> = {
  v1: 'V1ErrorDto',
  v2: 'V2ErrorDto',
  account: 'AccountErrorDto',
  oauth: 'OauthErrorDto',
  // SCIM is not in the document: RFC 7644 defines its error format.
  scim: 'V2ErrorDto',
};

/** Responses that any operation on the path can return, in addition to those it declares itself. */
function commonAnswers(path: string, method: string, { requestBody }: Operation): CommonAnswer[] {
  if (!API_PREFIXES.some((prefix) => path.startsWith(prefix))) return [];
  const ofBodies = requestBody ? [bodyTooLarge] : [];
  if (NEVER_REFUSED.has(path)) return ofBodies;
  if (IDEMPOTENT_SDK_PATHS.has(path)) return [...ofBodies, keyReused, overloaded];
  if (!path.startsWith('/v2/')) return [...ofBodies, overloaded];
  const ofKeys = method === 'post' ? [keyReused, keyInFlight] : [];
  const ofProjects = path.startsWith('/v2/projects/{project_id}') ? [elsewhere] : [];
  return [...ofBodies, ...ofProjects, rateLimited, ...ofKeys, overloaded];
}

/** Describes common responses once for each error format. The route's own description takes precedence. */
class CommonAnswers {
  private readonly responses: Record<string, Answer>;

  constructor(document: OpenAPIObject) {
    const components = (document.components ??= {});
    this.responses = (components.responses ??= {}) as Record<string, Answer>;
  }

  addTo({ responses }: Operation, path: string, common: CommonAnswer): void {
    const schema = schemas[apiFormat({ method: 'POST', originalUrl: path, headers: {} })];
    const { status, description } = common;
    const own = responses[status] as Answer | undefined;
    const answer: Answer = {
      description: `${own?.description ?? ''} ${description}`.trim(),
      content: own?.content ?? { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      ...(common.isWorthARetry && { headers: { ...retryAfter, ...own?.headers } }),
    };
    const name = schema.replace('ErrorDto', common.name);
    if (own) responses[status] = answer;
    else {
      this.responses[name] = answer;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
}

/** Handlers that ignore a path parameter do not declare it. */
function addPathParameters(operation: Operation, path: string): void {
  const declared = operation.parameters ?? [];
  const missing = [...path.matchAll(/\{([^}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  if (missing.length > 0) operation.parameters = [...missing, ...declared];
}

export function addCommonRules(document: OpenAPIObject): void {
  const answers = new CommonAnswers(document);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      operation.security ??= [];
      addPathParameters(operation, path);
      describePathParameters(operation.parameters ?? []);
      describeOperation(operation, () => {
        for (const common of commonAnswers(path, method, operation)) answers.addTo(operation, path, common);
      });
      if ((path.startsWith('/v2/') || IDEMPOTENT_SDK_PATHS.has(path)) && method === 'post') {
        operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
      }
    }
  }
}
