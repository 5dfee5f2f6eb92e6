import type { ScimTokenPrincipal } from '../../principal/principal.js';

/** Resolves SCIM tokens (`rdscim_`). Implemented by the enterprise edition. */
export abstract class ScimTokens {
  /** Returns null if the token is unknown or revoked. Nothing is cached, so revocation takes effect immediately. */
  abstract find(token: string): Promise<ScimTokenPrincipal | null>;
}
