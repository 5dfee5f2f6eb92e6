import { Injectable } from '@nestjs/common';
import { AuthIdentitiesService } from '../identities/auth-identities.service.js';
import { AuthProvidersService } from '../providers/auth-providers.service.js';
import { IdTokensService, problemOf } from './id-tokens.service.js';
import type { AuthTokenTestDto } from './token-test.dto.js';

@Injectable()
export class TokenTestsService {
  constructor(
    private readonly providers: AuthProvidersService,
    private readonly identities: AuthIdentitiesService,
    private readonly idTokens: IdTokensService,
  ) {}

  /** Runs every check of a sign-in without signing in. @throws ApiError 404 */
  async test(projectId: string, providerId: string, idToken: string): Promise<AuthTokenTestDto> {
    const provider = await this.providers.get(projectId, providerId);
    try {
      const { subject, mappedAppUserId, claims } = await this.idTokens.test(provider, idToken);
      const identity = await this.identities.find(projectId, { providerId, subject });
      return {
        object: 'auth_token_test',
        valid: true,
        subject,
        app_user_id: identity?.appUserId ?? mappedAppUserId,
        linked: identity !== null,
        claims,
        error: null,
        error_code: null,
      };
    } catch (error) {
      const { problem, message, claims } = problemOf(error);
      return {
        object: 'auth_token_test',
        valid: false,
        subject: null,
        app_user_id: null,
        linked: false,
        claims,
        error: message,
        error_code: problem,
      };
    }
  }
}
