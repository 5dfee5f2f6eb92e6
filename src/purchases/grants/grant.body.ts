import { type GrantDuration, grantDurations, grantEnd } from '../../../libs/engine/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { jsonBody } from '../../platform/http/bodies/json-body.js';

/** The end of the grant, and the name under which it is listed. */
export interface GrantTerm {
  expiresAtMs: number;
  duration: GrantDuration | 'custom';
}

/** The last millisecond of an ISO date with a four-digit year. */
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function time(body: Record<string, unknown>, field: string): number | null {
  const value = body[field];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > LATEST_MS) {
    throw ApiError.parameter(field, `${field} must be whole milliseconds since 1970, before the year 10000.`);
  }
  return value;
}

function durationOf(body: Record<string, unknown>): GrantDuration | null {
  const value = body.duration;
  if (value === undefined || value === null) return null;
  const known = grantDurations.find((duration) => duration === value);
  if (known === undefined) {
    throw ApiError.parameter('duration', `duration must be one of ${grantDurations.join(', ')}.`);
  }
  return known;
}

/**
 * The grant starts immediately: `start_time_ms` is only the base for `duration`. `end_time_ms` overrides `duration`.
 * @throws ApiError 400 without an end, or with an end that is not in the future
 */
export function readGrantBody(received: unknown, nowMs: number): GrantTerm {
  const body = jsonBody(received);
  const endMs = time(body, 'end_time_ms');
  const startMs = time(body, 'start_time_ms') ?? nowMs;
  const duration = durationOf(body);
  if (endMs === null && duration === null) {
    throw ApiError.parameter('end_time_ms', 'end_time_ms or duration is required.');
  }
  const expiresAtMs = endMs ?? (duration === null ? nowMs : grantEnd(duration, startMs));
  const field = endMs === null ? 'start_time_ms' : 'end_time_ms';
  if (expiresAtMs <= nowMs) throw ApiError.parameter(field, 'The end must be in the future.');
  if (expiresAtMs > LATEST_MS) throw ApiError.parameter(field, 'The end must be before the year 10000.');
  if (startMs >= expiresAtMs) throw ApiError.parameter('start_time_ms', 'The end must be after the start.');
  return { expiresAtMs, duration: endMs === null && duration !== null ? duration : 'custom' };
}
