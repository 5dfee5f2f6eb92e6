import type { AppType } from './app-types.js';
import type { OauthScope } from './oauth-scopes.js';
import type { MemberRole, PermissionSet } from './permissions.js';

/** An app, by its public key: phones and browsers. */
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

/** How a session began. */
export const sessionMethods = ['password', 'sso', 'reset', 'invite'] as const;
export type SessionMethod = (typeof sessionMethods)[number];

/** A person signed in to the dashboard. Permissions depend on the project and are looked up for each request. */
export interface SessionPrincipal {
  kind: 'session';
  userId: string;
  email: string;
  sessionId: string;
  method: SessionMethod;
  /** The organization through whose identity provider it began, else null. */
  ssoOrgId: string | null;
  /** Set by the guard on routes of a project. */
  membership?: { projectId: string; role: MemberRole; permissions: PermissionSet };
}

/** A customer signed in to an app, by an access token. */
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

/** Who calls the SDKs' routes. */
export type SdkPrincipal = AppPrincipal | SecretKeyPrincipal;

/** An identity provider provisioning an organization. */
export interface ScimTokenPrincipal {
  kind: 'scim_token';
  organizationId: string;
  tokenId: string;
}

/** Where an access token works (RFC 8707): at one interface, or at both. */
export const oauthAudiences = ['any', 'mcp', 'v2'] as const;
export type OauthAudience = (typeof oauthAudiences)[number];

/** What a person let a client do, as an access token carries it. */
export interface OauthTokenGrant {
  projectId: string;
  userId: string;
  clientId: string;
  grantId: string;
  scopes: readonly OauthScope[];
  audience: OauthAudience;
  /** `ssoOrgId` of the session in which the person agreed. */
  ssoOrgId: string | null;
}

/** A client acting for a person on one project. */
export interface OauthTokenPrincipal extends OauthTokenGrant {
  kind: 'oauth_token';
  /** Of the person's role, at this request. */
  roleName: string;
  /** What a client could ever do for the person, with every scope. */
  reach: PermissionSet;
  /** What both the scopes and the role hold. */
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

/** Within a project. Requests of one caller count together, and only the same caller can repeat them. */
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
