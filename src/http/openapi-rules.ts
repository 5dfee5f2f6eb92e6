import type { OpenAPIObject } from '@nestjs/swagger';

interface Operation {
  security?: object[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, { description?: string; content?: object; headers?: object }>;
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/V2ErrorDto' } } };

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to send again: for 24 hours the same key with the same request gets the first answer (with `Idempotent-Replayed: true`) and nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const retryAfter = {
  'Retry-After': { description: 'Seconds until the next window.', schema: { type: 'integer' } },
};

function addError(
  { responses }: Operation,
  status: string,
  description: string,
  headers?: Record<string, object>,
): void {
  const own = responses[status];
  if (own) own.description = `${own.description} ${description}`.trim();
  else responses[status] = { description, content: errorContent, ...(headers && { headers }) };
}

/** Handlers that do not look at a part of their path do not declare it. */
function addPathParameters(operation: Operation, path: string): void {
  const declared = operation.parameters ?? [];
  const missing = [...path.matchAll(/\{([^}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  if (missing.length > 0) operation.parameters = [...missing, ...declared];
}

/** Adds to the document what holds for many operations: path parameters, which are open, what is common to v2. */
export function addCommonRules(document: OpenAPIObject): void {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      operation.security ??= [];
      addPathParameters(operation, path);
      if (!path.startsWith('/v2/')) continue;
      addError(operation, '429', 'Too many requests a minute, where the server limits them.', retryAfter);
      if (method !== 'post') continue;
      operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
      addError(operation, '409', 'The Idempotency-Key was used before with another request.');
      addError(operation, '423', 'The first request with this Idempotency-Key is still being carried out.');
    }
  }
}
