import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { CustomerTokenPrincipal } from '../principal/principal.js';
import { AuthRepository } from './auth.repository.js';
import { CustomerTokenCacheService } from './customer-token-cache.service.js';
import { CustomerTokenKeyService } from './customer-token-key.service.js';

/** Three base64url parts: keys of this server never contain a dot. Its own tokens are far shorter than the limit. */
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
    private readonly repository: AuthRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The customer of a token verified before: no promise, no query, no signature. */
  cached(issuer: string, authorization: string): CustomerTokenPrincipal | undefined {
    return this.cache.get(issuer, authorization);
  }

  /** Null unless the header carries an access token of `issuer` whose session has not ended. */
  async principalOf(issuer: string, authorization: string): Promise<CustomerTokenPrincipal | null> {
    const [, token] = authorization.length <= MAX_LENGTH ? (TOKEN.exec(authorization) ?? []) : [];
    const claims = token === undefined ? null : this.key.accessTokenClaims(token);
    const now = new Date(this.clock.nowMs());
    if (claims === null || claims.iss !== issuer || claims.exp * 1000 <= now.getTime()) return null;
    const { version } = this.cache;
    const session = await this.repository.findCustomerSession(claims, now);
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
    // From now on, presenting the refresh token before this one's again is no repetition of a lost answer.
    if (generationUsedAt === null && (claims.gen ?? generation) === generation) {
      await this.repository.markGenerationUsed(projectId, claims.sid, generation).catch(() => undefined);
    }
    if (now.getTime() - lastUsedAt.getTime() > TOUCH_AFTER_MS) this.noteUse(principal, now);
    return principal;
  }

  /** Not awaited: what it records is not worth a wait. */
  private noteUse({ projectId, sessionId }: CustomerTokenPrincipal, now: Date): void {
    void this.repository.touchCustomerSession(projectId, sessionId, now).catch(() => undefined);
  }
}
