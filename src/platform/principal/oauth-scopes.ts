import {
  allPermissions,
  isBuiltIn,
  type MemberRole,
  type Permission,
  type PermissionSet,
} from './permissions.js';

/** Scopes that a user can authorize a client to use. */
export const oauthScopes = ['project:read', 'project:write', 'project:money'] as const;
export type OauthScope = (typeof oauthScopes)[number];

/** Clients request it to get a refresh token, which they get anyway. */
export const OFFLINE_ACCESS = 'offline_access';

/** Reading key names reveals no key, but clients have no use for it. */
const NO_CLIENT = /:api_keys:/;
/** Only users manage members and invites. */
const NO_CLIENT_WRITES = /:(api_keys|collaborators):/;
/** These permissions move customers' money. */
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

/** Everything that clients could do for a user. With a custom role they can only read. */
export function reachOf(role: MemberRole, held: PermissionSet): PermissionSet {
  return isBuiltIn(role) ? held : new Set([...held].filter(isRead));
}

/** A client's permissions: those that both the scopes include and the user has. */
export function permissionsWithin(held: PermissionSet, scopes: readonly OauthScope[]): PermissionSet {
  return new Set([...permissionsOfScopes(scopes)].filter((name) => held.has(name)));
}

/** The scopes that include any of these permissions. */
export function scopesWithin(held: PermissionSet, scopes: readonly OauthScope[]): OauthScope[] {
  return scopes.filter((scope) => [...added[scope]].some((name) => held.has(name)));
}

/** The scope that adds a permission; null if clients never get it. */
export function scopeOf(permission: Permission): OauthScope | null {
  return oauthScopes.find((scope) => added[scope].has(permission)) ?? null;
}

export function isOauthScope(name: string): name is OauthScope {
  return (oauthScopes as readonly string[]).includes(name);
}

/** Scopes in the order of the list, without duplicates. */
export function scopeText(scopes: readonly OauthScope[]): string {
  return oauthScopes.filter((scope) => scopes.includes(scope)).join(' ');
}
