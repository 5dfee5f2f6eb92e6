import { ApiQuery } from '@nestjs/swagger';
import { choiceQuery } from './choice-query.js';
import type { ApiRequest } from './request.js';

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
