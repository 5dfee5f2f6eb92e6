import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a calendar day (`YYYY-MM-DD`) of the query as its first moment in UTC; null when absent.
 * @throws ApiError 400 for what is no day of the calendar
 */
export function dayQuery(request: ApiRequest, name: string): Date | null {
  const value = singleQueryValue(request.query, name);
  if (value === null) return null;
  const day = new Date(`${value}T00:00:00Z`);
  if (DAY.test(value) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)) return day;
  throw ApiError.parameter(name, `${name} must be a day such as 2026-01-31.`);
}
