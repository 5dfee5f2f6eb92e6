import { isJsonObject } from '../../../../libs/kernel/index.js';
import { ApiError } from '../errors/api-error.js';

/** For routes that parse the fields of a body themselves. @throws ApiError 400 if the body is not an object */
export function jsonBody(body: unknown): Record<string, unknown> {
  if (isJsonObject(body)) return body;
  throw new ApiError('invalid_request', 'The request body must be a JSON object.');
}
