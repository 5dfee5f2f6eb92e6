import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CustomerTokenKeyService } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { SignInMethod } from '../customer-sessions/sign-in-methods.js';
import type { StartedSession } from '../customer-sessions/customer-sessions.service.js';
import type { TokenSetDto } from './sign-in.dto.js';

const LIFETIME_S = 3600;
const SCOPE = 'openid offline_access';

/** The SDKs' names of the methods, which they use, for example, to detect anonymous customers. */
const amrOf = (method: SignInMethod): string => (method === 'apple' ? 'signInWithApple' : method);

@Injectable()
export class TokenSetsService {
  constructor(
    private readonly key: CustomerTokenKeyService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Issues the tokens of a session whose refresh token has just been created. */
  issue({ session, refreshToken }: StartedSession, issuer: string): TokenSetDto {
    const nowMs = this.clock.nowMs();
    const iat = Math.floor(nowMs / 1000);
    const claims = {
      iss: issuer,
      sub: session.appUserId,
      'rc.app_user_id': session.appUserId,
      aud: session.appId,
      iat,
      exp: iat + LIFETIME_S,
      sid: session.id,
      gen: session.generation,
      amr: [amrOf(session.method)] as [string],
    };
    const own = { jti: newId('accessToken', nowMs), client_id: session.appId, scope: SCOPE };
    const authTime = Math.floor(session.signedInAt.getTime() / 1000);
    return {
      access_token: this.key.signAccessToken({ ...claims, ...own }),
      refresh_token: refreshToken,
      id_token: this.key.signIdToken({ ...claims, auth_time: authTime }),
      scope: SCOPE,
      expires_in: LIFETIME_S,
      token_type: 'Bearer',
    };
  }
}
