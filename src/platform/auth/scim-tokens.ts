import type { ScimTokenPrincipal } from '../principal/principal.js';

/** Whom a SCIM token (`rdscim_`) lets in. The enterprise edition provides it. */
export abstract class ScimTokens {
  /** Null for a token that is unknown or revoked. Nothing is cached: a revoked one is refused at once. */
  abstract find(token: string): Promise<ScimTokenPrincipal | null>;
}
