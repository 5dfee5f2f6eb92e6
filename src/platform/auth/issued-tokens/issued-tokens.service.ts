import { Injectable } from '@nestjs/common';
import type { OauthTokenGrant, ScimTokenPrincipal } from '../../principal/principal.js';
import { OauthTokens } from './oauth-tokens.js';
import { ScimTokens } from './scim-tokens.js';

/** Access tokens of OAuth clients; other credentials never have this prefix. */
const OAUTH_TOKEN = /^bearer +(atk_[\w-]{43})$/i;
const SCIM_TOKEN = /^bearer +(rdscim_[0-9a-f]{64})$/i;

/** Resolves tokens issued by higher areas, by `Authorization` header. */
@Injectable()
export class IssuedTokensService {
  constructor(
    private readonly oauthTokens: OauthTokens,
    private readonly scimTokens: ScimTokens,
  ) {}

  /** Returns null unless the header carries a valid access token of an OAuth client. */
  async oauth(authorization: string): Promise<OauthTokenGrant | null> {
    const [, token] = OAUTH_TOKEN.exec(authorization) ?? [];
    return token === undefined ? null : this.oauthTokens.find(token);
  }

  /** Returns null unless the header carries a valid SCIM token. */
  async scim(authorization: string): Promise<ScimTokenPrincipal | null> {
    const [, token] = SCIM_TOKEN.exec(authorization) ?? [];
    return token === undefined ? null : this.scimTokens.find(token);
  }
}
