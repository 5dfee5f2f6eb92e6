import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';
import { hasLength } from './text-length.js';

/**
 * Reads a text of the query, of 1 to `max` characters; null when absent.
 * @throws ApiError 400 naming it
 */
export function textQuery(request: ApiRequest, name: string, max: number): string | null {
  const value = singleQueryValue(request.query, name);
  if (value === null) return null;
  if (hasLength(value, 1, max)) return value;
  throw ApiError.parameter(name, `${name} must be 1 to ${max} characters.`);
}

/**
 * As `textQuery`, for what must be there.
 * @throws ApiError 400 naming it
 */
export function requiredTextQuery(request: ApiRequest, name: string, max: number): string {
  const value = textQuery(request, name, max);
  if (value === null) throw ApiError.parameter(name, `${name} is required.`);
  return value;
}
