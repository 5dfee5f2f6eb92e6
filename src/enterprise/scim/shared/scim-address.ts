import { issuerOf } from '../../../platform/auth/issuer.js';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';

/** Identity providers call this the base URL or tenant URL. */
export function scimBaseUrl(request: ApiRequest, config: Config): string {
  return `${issuerOf(request, config)}/scim/v2`;
}
