import type { Config } from '../config/config.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import { issuerOf } from './issuer.js';

interface Challenge {
  /** Absent if the request carried no token (RFC 6750, 3.1). */
  error?: 'invalid_token' | 'insufficient_scope';
  /** Space-separated scopes that the request needs. */
  scope: string;
}

/**
 * `WWW-Authenticate` for OAuth clients: the reason for the refusal, and the metadata for getting a token (RFC 9728).
 */
export function bearerChallenge(request: ApiRequest, config: Config, { error, scope }: Challenge): string {
  const issuer = issuerOf(request, config);
  // Strict clients compare the resource in the metadata with the URL that they called.
  const slash = request.slashedPath?.toLowerCase() === '/mcp/' ? '/' : '';
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp${slash}"`,
    `scope="${scope}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
