import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CustomerTokenKeyService } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { AuthSettingsService } from '../auth-providers/settings/auth-settings.service.js';
import {
  type CallingApp,
  CustomerSessionsService,
  type StartedSession,
} from '../customer-sessions/customer-sessions.service.js';

@Injectable()
export class SessionTokensService {
  constructor(
    private readonly sessions: CustomerSessionsService,
    private readonly settings: AuthSettingsService,
    private readonly key: CustomerTokenKeyService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 401 if the token is unknown, expired or replaced, or sign-in has been turned off */
  async refresh(app: CallingApp, refreshToken: string): Promise<StartedSession> {
    const mayContinue = this.settings.mayContinue.bind(this.settings);
    const renewed = await this.sessions.refresh(app, refreshToken, mayContinue);
    if (renewed) return renewed;
    throw new ApiError('unauthenticated', 'The refresh token is invalid or has expired. Sign in again.', {
      code: 7224,
    });
  }

  /** A refresh token ends its session, an access token only itself. Unknown and expired tokens are ignored. */
  async revoke(app: CallingApp, token: string): Promise<void> {
    if (await this.sessions.endByToken(app, token)) return;
    const claims = this.key.accessTokenClaims(token);
    if (claims === null || claims.aud !== app.appId || claims.exp * 1000 <= this.clock.nowMs()) return;
    const { jti: tokenId, sid: sessionId, exp } = claims;
    await this.sessions.revokeAccessToken(app, { tokenId, sessionId, expiresAt: new Date(exp * 1000) });
  }
}
