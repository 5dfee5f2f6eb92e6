import { isJsonObject } from '../../../libs/kernel/index.js';
import { ApiError } from './api-error.js';

/**
 * A request body as an object, for routes that read its fields themselves.
 * @throws ApiError 400 for anything else
 */
export function jsonBody(body: unknown): Record<string, unknown> {
  if (isJsonObject(body)) return body;
  throw new ApiError('invalid_request', 'The request body must be a JSON object.');
}
