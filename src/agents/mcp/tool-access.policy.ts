import { missingPermission } from '../../platform/auth/missing-permission.js';
import { type OauthScope, scopeOf, scopeText } from '../../platform/principal/oauth-scopes.js';
import type { Permission } from '../../platform/principal/permissions.js';
import type { AgentPrincipal } from './agent-principal.js';
import type { Tool } from './tool.js';

/** The scopes that a person must grant. */
export function scopesOf({ operations }: Tool): OauthScope[] {
  return [...operations.values()]
    .flatMap(({ scope, permissions }) => scope ?? permissions.map(scopeOf))
    .filter((scope) => scope !== null);
}

/** Whether the tool moves a customer's money or purchases. */
export function isMoneyTool(tool: Tool): boolean {
  return scopesOf(tool).includes('project:money');
}

/** The most that the credential could do: a client can request more scopes, but not another role. */
function reachOf(principal: AgentPrincipal): ReadonlySet<Permission> {
  return principal.kind === 'oauth_token' ? principal.reach : principal.permissions;
}

/** Whether the credential could ever call the tool. Other tools are not listed. */
export function isOffered({ permissions }: Tool, principal: AgentPrincipal): boolean {
  const reach = reachOf(principal);
  return permissions.every((permission) => reach.has(permission));
}

/** The reason why a credential may not call a tool. */
export interface AccessProblem {
  message: string;
  /** All scopes that the client should request; null if no scope would help. */
  scope: string | null;
}

/** Returns null if the credential may call the tool. */
export function accessProblem(tool: Tool, principal: AgentPrincipal): AccessProblem | null {
  const reach = reachOf(principal);
  const never = tool.permissions.find((permission) => !reach.has(permission));
  if (never) {
    const who = principal.kind === 'oauth_token' ? `role (${principal.roleName})` : 'key';
    return { message: missingPermission(who, never).message, scope: null };
  }
  if (principal.kind === 'secret_key') return null;
  const needed = scopesOf(tool);
  const missing = needed.find((scope) => !principal.scopes.includes(scope));
  if (!missing) return null;
  const scope = scopeText(['project:read', ...principal.scopes, ...needed]);
  return { message: `This tool needs the scope \`${missing}\`, which the person has not given.`, scope };
}
