import { isJsonObject } from '../../../../libs/kernel/index.js';
import { scimError } from './scim-error.js';
import { assertStorable } from './values.js';

/** Parses a message body, not a resource (RFC 7644, 3.1). `schemas` may be absent. @throws ApiError 400 */
export function messageOf(body: unknown, schema: string): Record<string, unknown> {
  if (!isJsonObject(body)) throw scimError('invalidSyntax', 'The body must be a JSON object.');
  assertStorable(body);
  const { schemas } = body;
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(schema)))
    throw scimError('invalidSyntax', `schemas must contain ${schema}.`);
  return body;
}
