import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { IdTokensService } from '../auth-providers/id-tokens/id-tokens.service.js';
import type { MappedIdentity } from '../auth-providers/identities/auth-identities.service.js';
import type { Login } from './login.js';
import { SignInLimitsService } from './sign-in-limits.service.js';

/** Checks the ID tokens of logins, and limits failures. */
@Injectable()
export class CheckedIdTokensService {
  constructor(
    private readonly idTokens: IdTokensService,
    private readonly limits: SignInLimitsService,
  ) {}

  /** @throws ApiError 401, 403, 503; 429 after too many failed tokens */
  async check({ app, method, ip }: Login, idToken: string): Promise<MappedIdentity> {
    if (method === 'anonymous') throw new Error('an anonymous login has no ID token');
    try {
      const checked = await this.idTokens.check(app.projectId, method, idToken);
      const { provider, subject, mappedAppUserId } = checked;
      return { providerId: provider.id, subject, mappedAppUserId };
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unauthenticated') {
        await this.limits.countRefusedIdToken(ip, app.appId);
      }
      throw error;
    }
  }
}
