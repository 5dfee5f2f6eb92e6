import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { credentialHash } from '../../../platform/auth/credentials.js';
import { CredentialUsesService } from '../../../platform/auth/credential-uses/credential-uses.service.js';
import type { OauthTokens } from '../../../platform/auth/issued-tokens/oauth-tokens.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { OauthTokenGrant } from '../../../platform/principal/principal.js';
import { GrantsRepository } from '../grants/grants.repository.js';
import { isAccessToken } from './oauth-tokens.js';

/** Looks up access tokens for the access guard. */
@Injectable()
export class AccessTokensService implements OauthTokens {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly uses: CredentialUsesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async find(token: string): Promise<OauthTokenGrant | null> {
    if (!isAccessToken(token)) return null;
    const now = new Date(this.clock.nowMs());
    const found = await this.grants.findByAccess(credentialHash(token), now);
    if (!found) return null;
    const { generationUsedAt, ...grant } = found;
    // The client has its new tokens, so presenting the previous refresh token is no longer a retry.
    if (generationUsedAt === null) await this.grants.markGenerationUsed(found);
    await this.uses.record(grant.projectId, 'oauth_grant', grant.grantId, now);
    return grant;
  }
}
