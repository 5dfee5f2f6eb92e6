import { Injectable } from '@nestjs/common';
import type { Strategy } from 'passport';
import type { ApiRequest } from '../http/pipeline/request.js';
import { CustomerTokensService } from './customer-tokens/customer-tokens.service.js';
import { type KeyPrincipal, KeyCacheService } from './keys/key-cache.service.js';
import { KeyStrategy } from './keys/key.strategy.js';
import type { CustomerTokenPrincipal, SessionPrincipal } from '../principal/principal.js';
import { SessionStrategy } from './session.strategy.js';

type Headers = Pick<ApiRequest, 'headers'>;

interface RunningStrategy {
  authenticate(request: Headers): void;
}

/** Passes only the headers: a token in a query string or a form would end up in logs and caches. */
function run<P>(strategy: Strategy, { headers }: Headers): Promise<P | null> {
  return new Promise((resolve, reject) => {
    const attempt = Object.assign(Object.create(strategy) as RunningStrategy, {
      success: (principal: P) => resolve(principal),
      fail: () => resolve(null),
      error: reject,
    });
    attempt.authenticate({ headers });
  });
}

@Injectable()
export class AuthenticatorService {
  constructor(
    private readonly keys: KeyStrategy,
    private readonly sessions: SessionStrategy,
    private readonly cache: KeyCacheService,
    private readonly customerTokens: CustomerTokensService,
  ) {}

  /** Returns the key's cached principal without a promise or a query. */
  cachedKey(authorization: string): KeyPrincipal | undefined {
    return this.cache.get(authorization);
  }

  /** Returns the principal of an `Authorization: Bearer` header, or null for an unknown key. */
  async key(authorization: string): Promise<KeyPrincipal | null> {
    const request: Headers = { headers: { authorization } };
    const { version } = this.cache;
    const principal = await run<KeyPrincipal>(this.keys, request);
    if (principal) this.cache.set(authorization, principal, version);
    return principal;
  }

  /** Returns the customer of an access token verified before, without a promise or a query. */
  cachedCustomer(issuer: string, authorization: string): CustomerTokenPrincipal | undefined {
    return this.customerTokens.cached(issuer, authorization);
  }

  /** Returns the customer of an `Authorization: Bearer` header; null unless it is a valid access token of `issuer`. */
  customer(issuer: string, authorization: string): Promise<CustomerTokenPrincipal | null> {
    return this.customerTokens.principalOf(issuer, authorization);
  }

  session(request: Headers): Promise<SessionPrincipal | null> {
    return run<SessionPrincipal>(this.sessions, request);
  }
}
