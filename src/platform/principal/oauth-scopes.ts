import {
  allPermissions,
  isBuiltIn,
  type MemberRole,
  type Permission,
  type PermissionSet,
} from './permissions.js';

/** What a person can let a client do. */
export const oauthScopes = ['project:read', 'project:write', 'project:money'] as const;
export type OauthScope = (typeof oauthScopes)[number];

/** Clients ask for it to get a refresh token, which they get anyway. */
export const OFFLINE_ACCESS = 'offline_access';

/** Reading the names of keys shows no key, but no client has a use for it. */
const NO_CLIENT = /:api_keys:/;
/** Members and invites stay in people's hands. */
const NO_CLIENT_WRITES = /:(api_keys|collaborators):/;
/** They move the money of customers. */
const MONEY = /:(subscriptions|purchases):read_write$/;

const isRead = (name: Permission): boolean => name.endsWith(':read');

const added: Record<OauthScope, PermissionSet> = {
  'project:read': new Set(allPermissions.filter((name) => isRead(name) && !NO_CLIENT.test(name))),
  'project:write': new Set(
    allPermissions.filter((name) => !isRead(name) && !NO_CLIENT_WRITES.test(name) && !MONEY.test(name)),
  ),
  'project:money': new Set(allPermissions.filter((name) => MONEY.test(name))),
};

/** Every scope includes reading. */
function permissionsOfScopes(scopes: readonly OauthScope[]): Set<Permission> {
  return new Set([...added['project:read'], ...scopes.flatMap((scope) => [...added[scope]])]);
}

/** What clients could ever do for a person: custom roles let them only read. */
export function reachOf(role: MemberRole, held: PermissionSet): PermissionSet {
  return isBuiltIn(role) ? held : new Set([...held].filter(isRead));
}

/** What a client may do for a person: what the scopes include and the person holds. */
export function permissionsWithin(held: PermissionSet, scopes: readonly OauthScope[]): PermissionSet {
  return new Set([...permissionsOfScopes(scopes)].filter((name) => held.has(name)));
}

/** The scopes that give a person with these permissions something. */
export function scopesWithin(held: PermissionSet, scopes: readonly OauthScope[]): OauthScope[] {
  return scopes.filter((scope) => [...added[scope]].some((name) => held.has(name)));
}

/** The scope that adds a permission; null if no client ever gets it. */
export function scopeOf(permission: Permission): OauthScope | null {
  return oauthScopes.find((scope) => added[scope].has(permission)) ?? null;
}

export function isOauthScope(name: string): name is OauthScope {
  return (oauthScopes as readonly string[]).includes(name);
}

/** In the order of the list, each once. */
export function scopeText(scopes: readonly OauthScope[]): string {
  return oauthScopes.filter((scope) => scopes.includes(scope)).join(' ');
}
