import { ApiQuery } from '@nestjs/swagger';
import { ApiError } from './api-error.js';
import { singleQueryValue } from './lists.js';
import type { ApiRequest } from './request.js';

/** Documents the `environment` filter. */
export function EnvironmentQuery(): MethodDecorator {
  return ApiQuery({
    name: 'environment',
    enum: ['production', 'sandbox'],
    required: false,
    description: 'Default: both.',
  });
}

/**
 * Reads the `environment` filter; null means both.
 * @throws ApiError 400
 */
export function environmentQuery(request: ApiRequest): 'production' | 'sandbox' | null {
  const value = singleQueryValue(request.query, 'environment');
  if (value === null || value === 'production' || value === 'sandbox') return value;
  throw ApiError.parameter('environment', 'environment must be production or sandbox.');
}
