import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../platform/principal/principal.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { SdkClient } from './sdk-catalog.service.js';

export function sdkClientOf(request: ApiRequest): SdkClient {
  return {
    principal: request.principal as PublicKeyPrincipal | SecretKeyPrincipal,
    platform: request.headers['x-platform'] as string | undefined,
    sdkVersion: request.headers['x-version'] as string | undefined,
  };
}
