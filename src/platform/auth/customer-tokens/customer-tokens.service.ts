import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../config/clock.token.js';
import type { CustomerTokenPrincipal } from '../../principal/principal.js';
import { CustomerSessionCredentials } from '../credential-lookups.js';
import { CustomerTokenCacheService } from './customer-token-cache.service.js';
import { CustomerTokenKeyService } from './customer-token-key.service.js';

/** Three base64url parts. API keys never contain a dot, and our tokens are far shorter than the limit. */
const TOKEN = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;
const MAX_LENGTH = 4096;
const TOUCH_AFTER_MS = 60_000;

export function isCustomerToken(authorization: string): boolean {
  return authorization.length <= MAX_LENGTH && TOKEN.test(authorization);
}

/** Verifies the access tokens of customers who signed in. */
@Injectable()
export class CustomerTokensService {
  constructor(
    private readonly key: CustomerTokenKeyService,
    private readonly cache: CustomerTokenCacheService,
    private readonly sessions: CustomerSessionCredentials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the customer of a token verified before, without a promise, a query or a signature check. */
  cached(issuer: string, authorization: string): CustomerTokenPrincipal | undefined {
    return this.cache.get(issuer, authorization);
  }

  /** Returns null unless the header carries an access token of `issuer` whose session has not ended. */
  async principalOf(issuer: string, authorization: string): Promise<CustomerTokenPrincipal | null> {
    const [, token] = authorization.length <= MAX_LENGTH ? (TOKEN.exec(authorization) ?? []) : [];
    const claims = token === undefined ? null : this.key.accessTokenClaims(token);
    const now = new Date(this.clock.nowMs());
    if (claims === null || claims.iss !== issuer || claims.exp * 1000 <= now.getTime()) return null;
    const { version } = this.cache;
    const session = await this.sessions.find(claims, now);
    if (session === null) return null;
    const { projectId, appType, lastUsedAt, generation, generationUsedAt } = session;
    const principal: CustomerTokenPrincipal = {
      kind: 'customer_token',
      projectId,
      appId: claims.aud,
      appType,
      appUserId: claims['rc.app_user_id'],
      sessionId: claims.sid,
      tokenId: claims.jti,
    };
    this.cache.set(issuer, authorization, principal, { version, endsAtMs: claims.exp * 1000 });
    // The client has received this token, so reuse of the previous refresh token is no longer a retry.
    if (generationUsedAt === null && (claims.gen ?? generation) === generation) {
      await this.sessions.markGenerationUsed(projectId, claims.sid, generation).catch(() => undefined);
    }
    if (now.getTime() - lastUsedAt.getTime() > TOUCH_AFTER_MS) this.recordUse(principal, now);
    return principal;
  }

  /** The caller does not await it, so the request does not wait for a usage record. */
  private recordUse({ projectId, sessionId }: CustomerTokenPrincipal, now: Date): void {
    void this.sessions.recordUse(projectId, sessionId, now).catch(() => undefined);
  }
}
