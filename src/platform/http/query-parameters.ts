import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
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

/**
 * Reads a query parameter that is one of a few words; null when absent.
 * @throws ApiError 400 naming it
 */
export function choiceQuery<const Choice extends string>(
  request: ApiRequest,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = singleQueryValue(request.query, name);
  if (value === null) return null;
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw ApiError.parameter(name, `${name} must be ${choices.join(' or ')}.`);
}

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

const environments = ['production', 'sandbox'] as const;

/** Documents the `environment` filter. */
export function EnvironmentQuery(): MethodDecorator {
  return ApiQuery({
    name: 'environment',
    enum: environments,
    required: false,
    description: 'Default: both.',
  });
}

/**
 * Reads the `environment` filter; null means both.
 * @throws ApiError 400
 */
export function environmentQuery(request: ApiRequest): 'production' | 'sandbox' | null {
  return choiceQuery(request, 'environment', environments);
}

/** Documents the paging parameters of a list. */
export function PageQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      type: 'integer',
      description: '1 to 100, clamped. Default 20.',
    }),
    ApiQuery({
      name: 'starting_after',
      required: false,
      type: String,
      description:
        'Key of the last item of the previous page, or what `next_page` has here: it goes on even when that item is deleted.',
    }),
  );
}
