import type {
  OauthTokenPrincipal,
  Principal,
  SecretKeyPrincipal,
} from '../../platform/principal/principal.js';

/** A caller of tools: a project's secret key, or a client that acts for a person on a project. */
export type AgentPrincipal = OauthTokenPrincipal | SecretKeyPrincipal;

/** Returns null for all other credentials, and for tokens requested for another interface (RFC 8707). */
export function agentOf(principal: Principal): AgentPrincipal | null {
  if (principal.kind === 'oauth_token') return principal.audience === 'v2' ? null : principal;
  return principal.kind === 'secret_key' ? principal : null;
}
