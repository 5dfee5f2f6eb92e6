import type {
  OauthTokenPrincipal,
  Principal,
  SecretKeyPrincipal,
} from '../../platform/principal/principal.js';

/** Who may call tools: a key of a project, or a client that acts for a person on one. */
export type AgentPrincipal = OauthTokenPrincipal | SecretKeyPrincipal;

/** Null for all other credentials, and for a token that was asked for another interface (RFC 8707). */
export function agentOf(principal: Principal): AgentPrincipal | null {
  if (principal.kind === 'oauth_token') return principal.audience === 'v2' ? null : principal;
  return principal.kind === 'secret_key' ? principal : null;
}
