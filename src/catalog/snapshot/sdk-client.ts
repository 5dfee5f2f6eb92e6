import type { SdkPrincipal } from '../../platform/principal/principal.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { SdkClient } from './sdk-catalog.service.js';

export function sdkClientOf(request: ApiRequest): SdkClient {
  return {
    principal: request.principal as SdkPrincipal,
    platform: request.headers['x-platform'] as string | undefined,
    sdkVersion: request.headers['x-version'] as string | undefined,
  };
}

/**
 * Store product ids in a request for prices. Parsed without the validation pipe, because this is a hot path of SDKs.
 */
export function storeIdentifiersOf({ query }: ApiRequest): string[] {
  return [(query as Record<string, unknown>).id ?? []].flat().filter((id) => typeof id === 'string');
}
