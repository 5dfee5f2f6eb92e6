import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';

/** The last moment a JavaScript date can be. */
const MAX_MS = 8_640_000_000_000_000;

/**
 * Reads a moment (epoch milliseconds) of the query; null when absent.
 * @throws ApiError 400
 */
export function epochQuery(request: ApiRequest, name: string): Date | null {
  const value = singleQueryValue(request.query, name);
  if (value === null) return null;
  if (!/^\d{1,16}$/.test(value) || Number(value) > MAX_MS) {
    throw ApiError.parameter(name, `${name} must be a time in epoch milliseconds.`);
  }
  return new Date(Number(value));
}
