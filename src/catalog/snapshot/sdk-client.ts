import type { SdkPrincipal } from '../../platform/principal/principal.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { SdkClient, WebProductsQuestion } from './sdk-catalog.service.js';

export function sdkClientOf(request: ApiRequest): SdkClient {
  return {
    principal: request.principal as SdkPrincipal,
    platform: request.headers['x-platform'] as string | undefined,
    sdkVersion: request.headers['x-version'] as string | undefined,
  };
}

/** Parsed without the validation pipe, because this is a hot path of SDKs. An unusable currency is ignored. */
export function webProductsQuestionOf({ query }: ApiRequest): WebProductsQuestion {
  const { id, currency } = query as Record<string, unknown>;
  return {
    storeIdentifiers: [id ?? []].flat().filter((name) => typeof name === 'string'),
    currency: typeof currency === 'string' ? currency.toUpperCase() : null,
  };
}
