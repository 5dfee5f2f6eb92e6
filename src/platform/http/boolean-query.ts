import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';

/**
 * Reads a switch of the query; false when absent.
 * @throws ApiError 400 for anything but `true` and `false`
 */
export function booleanQuery(request: ApiRequest, name: string): boolean {
  const value = singleQueryValue(request.query, name);
  if (value === null || value === 'false') return false;
  if (value === 'true') return true;
  throw ApiError.parameter(name, `${name} must be true or false.`);
}
