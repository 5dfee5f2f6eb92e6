import { Injectable } from '@nestjs/common';
import { issuerOf } from '../../platform/auth/issuer.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { OauthAudience } from '../../platform/principal/principal.js';

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

@Injectable()
export class OauthIssuerService {
  constructor(private readonly config: Config) {}

  /**
   * Returns the server's URL, which clients compare character by character.
   * @throws ApiError 404 for plain http from another machine, because codes and tokens would be sent unencrypted
   */
  forRequest(request: ApiRequest): string {
    const issuer = issuerOf(request, this.config);
    if (issuer.startsWith('https://') || LOOPBACK.test(issuer)) return issuer;
    throw new ApiError(
      'missing',
      'OAuth needs https. Set SERVICE_PUBLIC_URL to the https address of this server.',
    );
  }
}

/**
 * Resolves a `resource` parameter (RFC 8707). Returns null if it is not this server's. Without it, both interfaces
 * apply.
 */
export function audienceOf(resource: string | null, issuer: string): OauthAudience | null {
  if (resource === null) return 'any';
  switch (comparable(resource)) {
    case comparable(issuer):
      return 'any';
    case comparable(`${issuer}/mcp`):
      return 'mcp';
    case comparable(`${issuer}/v2`):
      return 'v2';
    default:
      return null;
  }
}

/** Normalizes a URL: lower-case scheme and host, no default port, at most one trailing slash removed. */
function comparable(address: string): string {
  return URL.canParse(address) ? new URL(address).href.replace(/\/$/, '') : address;
}
