import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ApiError } from '../http/api-error.js';
import { type ApiRequest, apiFormat } from '../http/request.js';
import { AuthenticatorService } from './authenticator.service.js';
import type { KeyPrincipal } from './key-cache.service.js';
import type { Principal } from '../principal/principal.js';
import { assertSameOrigin } from './same-origin.js';

function unauthenticated(message: string): ApiError {
  return new ApiError('unauthenticated', message);
}

/** SDK routes also accept the bare key; REST v2 requires "Bearer". */
function authorizationOf(request: ApiRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  if (header.includes(' ') || apiFormat(request) !== 'v1') return header;
  return `Bearer ${header}`;
}

@Injectable()
export class RequestCredentialsService {
  constructor(
    private readonly authenticator: AuthenticatorService,
    private readonly config: Config,
  ) {}

  cachedKey(request: ApiRequest): KeyPrincipal | undefined {
    const authorization = authorizationOf(request);
    return authorization === null ? undefined : this.authenticator.cachedKey(authorization);
  }

  /** @throws ApiError 401 without a valid credential, 403 for a session used from another web site */
  async principalOf(request: ApiRequest): Promise<Principal> {
    const authorization = authorizationOf(request);
    if (authorization !== null) {
      const principal = await this.authenticator.key(authorization);
      if (!principal)
        throw unauthenticated('The API key is unknown. Send it as `Authorization: Bearer <key>`.');
      return principal;
    }
    const session = apiFormat(request) === 'v1' ? null : await this.authenticator.session(request);
    if (!session)
      throw unauthenticated(
        apiFormat(request) === 'v1'
          ? 'The request carries no API key. Send it as `Authorization: Bearer <key>`.'
          : 'The request carries no credential, or the session has ended.',
      );
    if (request.method !== 'GET' && request.method !== 'HEAD') assertSameOrigin(request, this.config);
    return session;
  }
}
