import { jsonBody } from '../../platform/http/bodies/json-body.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ExtensionOptions } from './subscription-extensions.service.js';

function wholeNumber(body: Record<string, unknown>, field: string, min: number, max: number): number | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw ApiError.parameter(field, `${field} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** @throws ApiError 400 unless exactly one of `expiry_time_ms` and `extend_by_days` (1 to 365) is given */
export function readDeferBody(body: unknown): ExtensionOptions {
  const fields = jsonBody(body);
  const untilMs = wholeNumber(fields, 'expiry_time_ms', 0, Number.MAX_SAFE_INTEGER);
  const days = wholeNumber(fields, 'extend_by_days', 1, 365);
  if (untilMs !== null && days === null) return { by: { untilMs }, reasonCode: 0 };
  if (days !== null && untilMs === null) return { by: { days }, reasonCode: 0 };
  throw ApiError.parameter(
    'expiry_time_ms',
    'Exactly one of expiry_time_ms and extend_by_days must be given.',
  );
}

/** @throws ApiError 400 without `extend_by_days` (1 to 90) and `extend_reason_code` (0 to 3) */
export function readExtendBody(body: unknown): ExtensionOptions {
  const fields = jsonBody(body);
  const days = wholeNumber(fields, 'extend_by_days', 1, 90);
  if (days === null) throw ApiError.parameter('extend_by_days', 'extend_by_days is missing.');
  const reasonCode = wholeNumber(fields, 'extend_reason_code', 0, 3);
  if (reasonCode === null) throw ApiError.parameter('extend_reason_code', 'extend_reason_code is missing.');
  return { by: { days }, reasonCode };
}
