import { jsonBody } from '../http/json-body.js';
import { ApiError } from '../http/api-error.js';

function wholeNumber(body: Record<string, unknown>, field: string, min: number, max: number): number | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw ApiError.parameter(field, `${field} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** @throws ApiError 400 unless exactly one of `expiry_time_ms` and `extend_by_days` (1 to 365) is given */
export function assertDeferBody(body: unknown): void {
  const fields = jsonBody(body);
  const until = wholeNumber(fields, 'expiry_time_ms', 0, Number.MAX_SAFE_INTEGER);
  const days = wholeNumber(fields, 'extend_by_days', 1, 365);
  if ((until === null) === (days === null)) {
    throw ApiError.parameter('expiry_time_ms', 'Give either expiry_time_ms or extend_by_days.');
  }
}

/** @throws ApiError 400 without `extend_by_days` (1 to 90) and `extend_reason_code` (0 to 3) */
export function assertExtendBody(body: unknown): void {
  const fields = jsonBody(body);
  for (const [field, min, max] of [
    ['extend_by_days', 1, 90],
    ['extend_reason_code', 0, 3],
  ] as const) {
    if (wholeNumber(fields, field, min, max) === null)
      throw ApiError.parameter(field, `${field} is missing.`);
  }
}
