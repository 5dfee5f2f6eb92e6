import type { AppType } from './app-types.js';
import type { OauthScope } from './oauth-scopes.js';
import type { MemberRole, PermissionSet } from './permissions.js';

/** An app on a phone or in a browser, identified by its public key. */
export interface PublicKeyPrincipal {
  kind: 'public_key';
  projectId: string;
  appId: string;
  appType: AppType;
}

export interface SecretKeyPrincipal {
  kind: 'secret_key';
  projectId: string;
  keyId: string;
  permissions: PermissionSet;
}

/** Ways to start a session. */
export const sessionMethods = ['password', 'sso', 'reset', 'invite'] as const;
export type SessionMethod = (typeof sessionMethods)[number];

/** A user signed in to the dashboard. Permissions depend on the project and are looked up for each request. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  email: string;
  sessionId: string;
  method: SessionMethod;
  /** The organization whose identity provider started the session, otherwise null. */
  ssoOrgId: string | null;
  /** Set by the guard on project routes. */
  membership?: { projectId: string; role: MemberRole; permissions: PermissionSet };
}

/** A customer signed in to an app, identified by an access token. */
export interface CustomerTokenPrincipal {
  kind: 'customer_token';
  projectId: string;
  appId: string;
  appType: AppType;
  appUserId: string;
  sessionId: string;
  /** `jti` of the token. */
  tokenId: string;
}

/** An app, or a customer signed in to it. */
export type AppPrincipal = PublicKeyPrincipal | CustomerTokenPrincipal;

/** Callers of SDK routes. */
export type SdkPrincipal = AppPrincipal | SecretKeyPrincipal;

/** An identity provider that provisions an organization. */
export interface ScimTokenPrincipal {
  kind: 'scim_token';
  organizationId: string;
  tokenId: string;
}

/** Interfaces at which an access token is valid (RFC 8707): one, or both. */
export const oauthAudiences = ['any', 'mcp', 'v2'] as const;
export type OauthAudience = (typeof oauthAudiences)[number];

/** The authorization that an access token carries. */
export interface OauthTokenGrant {
  projectId: string;
  userId: string;
  clientId: string;
  grantId: string;
  scopes: readonly OauthScope[];
  audience: OauthAudience;
  /** `ssoOrgId` of the session in which the user agreed. */
  ssoOrgId: string | null;
}

/** A client acting for a user in one project. */
export interface OauthTokenPrincipal extends OauthTokenGrant {
  kind: 'oauth_token';
  /** The user's role at the time of this request. */
  roleName: string;
  /** Permissions that a client could have for the user with every scope. */
  reach: PermissionSet;
  /** Permissions that both the scopes and the role include. */
  permissions: PermissionSet;
}

export type Principal =
  | PublicKeyPrincipal
  | SecretKeyPrincipal
  | SessionPrincipal
  | CustomerTokenPrincipal
  | ScimTokenPrincipal
  | OauthTokenPrincipal;

export type PrincipalKind = Principal['kind'];

/**
 * Identifies the caller within a project. Rate limits count requests by caller, and only the same caller can retry
 * them.
 */
export function callerOf(principal: Principal): string {
  switch (principal.kind) {
    case 'session':
      return principal.userId;
    case 'secret_key':
      return principal.keyId;
    case 'oauth_token':
      return `${principal.clientId}/${principal.userId}`;
    case 'scim_token':
      return principal.tokenId;
    case 'customer_token':
      return `${principal.appId}/${principal.appUserId}`;
    case 'public_key':
      return principal.appId;
  }
}
