import type { OauthTokenGrant } from '../../principal/principal.js';

/** Resolves an access token (`atk_`) to its grant. Implemented by the agents area. */
export abstract class OauthTokens {
  /**
   * Returns null if the token is unknown, expired or revoked. Nothing is cached, so revocation takes effect
   * immediately.
   */
  abstract find(token: string): Promise<OauthTokenGrant | null>;
}
