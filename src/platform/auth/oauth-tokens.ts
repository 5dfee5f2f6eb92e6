import type { OauthTokenGrant } from '../principal/principal.js';

/** Which grant an access token (`atk_`) carries. The agents area provides it. */
export abstract class OauthTokens {
  /** Null for a token that is unknown, expired or revoked. Nothing is cached: a revoked one is refused at once. */
  abstract find(token: string): Promise<OauthTokenGrant | null>;
}
