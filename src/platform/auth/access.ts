import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBearerAuth,
  ApiCookieAuth,
  ApiExtension,
  ApiForbiddenResponse,
  ApiNotFoundResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { AccountErrorDto, V1ErrorDto, V2ErrorDto } from '../http/error.dto.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import type { OauthScope } from '../principal/oauth-scopes.js';
import type { Permission } from '../principal/permissions.js';
import type { PrincipalKind } from '../principal/principal.js';

export const ACCESS_RULE = 'access-rule';

/** Who may call a route. Every route has one; without it the server does not start. */
export interface AccessRule {
  /** Empty: no credential needed. */
  credentials: PrincipalKind[];
  /** All of them are required, in the project of the path. */
  permissions: Permission[];
  /** What an OAuth client needs instead of the scopes that add the permissions; its person's role must hold those. */
  scope?: OauthScope;
  /** Only for admins of the project, whatever other permissions a role holds. */
  adminOnly: boolean;
  /** Path parameter with a person's id; that person needs neither the permissions nor a role. */
  selfParameter?: string;
  /** The route belongs to an organization, whose own guard decides; a project in its path is not looked up. */
  isOfOrganization?: boolean;
  /** The answer never depends on the body, which is not read. */
  ignoresBody?: boolean;
  /** The route has a guard of its own, which checks more than the credential and something else first. */
  ownGuard?: boolean;
}

function rule(
  credentials: PrincipalKind[],
  permissions: Permission[] = [],
  more: Partial<AccessRule> = {},
): MethodDecorator {
  return SetMetadata(ACCESS_RULE, {
    credentials,
    permissions,
    adminOnly: false,
    ...more,
  } satisfies AccessRule);
}

/** What every REST v2 route has: its error answers, and on writes the `Idempotency-Key`. */
function v2Route(permissions: Permission[]): MethodDecorator {
  const writes = permissions.some((permission) => permission.endsWith(':read_write'));
  return writes ? applyDecorators(v2Errors(), UseInterceptors(IdempotencyInterceptor)) : v2Errors();
}

function v2Errors(): MethodDecorator {
  return applyDecorators(
    ApiUnauthorizedResponse({ type: V2ErrorDto, description: 'The credential is missing or unknown.' }),
    ApiForbiddenResponse({ type: V2ErrorDto, description: 'The credential lacks the permission.' }),
    ApiNotFoundResponse({ type: V2ErrorDto, description: 'Not found in this project.' }),
    ApiBadRequestResponse({ type: V2ErrorDto, description: 'A parameter is missing or not valid.' }),
  );
}

/** REST v2: a secret key, an OAuth client or a member's session, with the permissions. 403 and OpenAPI document name the same ones. */
export function RequirePermission(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return permitted(permissions);
}

/** REST v2 that has the same answer for everyone with access to the project, whatever the permissions and the body. */
export function RequireProjectAccess(): MethodDecorator {
  return rule(['secret_key', 'oauth_token', 'session'], [], { ignoresBody: true });
}

/** Like `RequirePermission`, with another scope for OAuth clients than the one that adds the permission. */
export function RequirePermissionInScope(permission: Permission, scope: OauthScope): MethodDecorator {
  return applyDecorators(permitted([permission], scope), ApiExtension('x-required-scope', scope));
}

function permitted(permissions: Permission[], scope?: OauthScope): MethodDecorator {
  return applyDecorators(
    rule(['secret_key', 'oauth_token', 'session'], permissions, { scope }),
    ApiBearerAuth('secret_key'),
    ApiBearerAuth('oauth_token'),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    v2Route(permissions),
  );
}

/** REST v2 for people only; secret keys and clients answer 403. */
export function RequireSession(...permissions: Permission[]): MethodDecorator {
  return applyDecorators(
    rule(['session'], permissions),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    v2Route(permissions),
  );
}

/** REST v2 for admins of the project, in person; other roles and secret keys answer 403. */
export function RequireProjectAdmin(...permissions: Permission[]): MethodDecorator {
  return admins(permissions);
}

/** Like `RequireProjectAdmin`, and for the member whose id is in the path parameter. */
export function RequireProjectAdminOrSelf(
  selfParameter: string,
  ...permissions: Permission[]
): MethodDecorator {
  return admins(permissions, selfParameter);
}

function admins(permissions: Permission[], selfParameter?: string): MethodDecorator {
  return applyDecorators(
    rule(['session'], permissions, { adminOnly: true, selfParameter }),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    ApiExtension('x-required-role', 'admin'),
    v2Route(permissions),
  );
}

/** Routes of the enterprise edition: people only. A guard of an organization's routes decides the rest. */
export function RequireEnterpriseSession(): MethodDecorator {
  return applyDecorators(
    rule(['session'], [], { isOfOrganization: true }),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', []),
    v2Errors(),
    UseInterceptors(IdempotencyInterceptor),
  );
}

export function RequireAccountSession(): MethodDecorator {
  return applyDecorators(
    rule(['session']),
    ApiCookieAuth('session'),
    ApiUnauthorizedResponse({ type: AccountErrorDto, description: 'Not signed in.' }),
    ApiForbiddenResponse({
      type: AccountErrorDto,
      description: 'The request uses an API key, or is a write that comes from another site.',
    }),
  );
}

/**
 * SDK routes: an app's public key, or a secret key of its project with the permissions. Only routes that reveal
 * nothing about the project need none.
 */
export function SdkAccess(...permissions: Permission[]): MethodDecorator {
  return applyDecorators(
    rule(['public_key', 'secret_key'], permissions),
    ApiBearerAuth('public_key'),
    ApiBearerAuth('secret_key'),
    ApiExtension('x-required-permissions', permissions),
    v1Errors(),
  );
}

/** SDK routes that also accept a customer's access token; the guard holds it to its own customer. */
export function SdkOrCustomerAccess(...permissions: Permission[]): MethodDecorator {
  return applyDecorators(
    rule(['public_key', 'secret_key', 'customer_token'], permissions),
    ApiBearerAuth('public_key'),
    ApiBearerAuth('secret_key'),
    ApiBearerAuth('customer_token'),
    ApiExtension('x-required-permissions', permissions),
    v1Errors(),
  );
}

/** Routes below /v1/customer: only an access token. Everything else answers 401, on which SDKs refresh the token. */
export function CustomerAccess(): MethodDecorator {
  return applyDecorators(
    rule(['customer_token']),
    ApiBearerAuth('customer_token'),
    ApiBadRequestResponse({
      type: V1ErrorDto,
      description: 'The request is not valid; do not send it again.',
    }),
    ApiUnauthorizedResponse({
      type: V1ErrorDto,
      description: 'The access token is missing, expired, revoked or not valid (7224). Refresh it.',
    }),
  );
}

/** A customer's own access token, or a secret key with the permissions; public keys answer 403. */
export function CustomerOrSecretKeyAccess(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return applyDecorators(
    rule(['secret_key', 'customer_token'], permissions),
    ApiBearerAuth('secret_key'),
    ApiBearerAuth('customer_token'),
    ApiExtension('x-required-permissions', permissions),
    v1Errors(),
    ApiNotFoundResponse({ type: V1ErrorDto, description: 'Not found in this project.' }),
  );
}

/** Sign-in calls of SDKs: an app's public key, never a secret key. */
export function PublicKeyAccess(): MethodDecorator {
  return applyDecorators(rule(['public_key']), ApiBearerAuth('public_key'), v1Errors());
}

function v1Errors(): MethodDecorator {
  return applyDecorators(
    ApiBadRequestResponse({
      type: V1ErrorDto,
      description: 'The request is not valid; do not send it again.',
    }),
    ApiUnauthorizedResponse({ type: V1ErrorDto, description: 'The API key is missing or unknown.' }),
    ApiForbiddenResponse({
      type: V1ErrorDto,
      description: 'The key is of the wrong kind or lacks the permission.',
    }),
  );
}

/** REST v1 for backends: a secret key holding the permissions; public keys answer 403. */
export function SecretKeyAccess(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return applyDecorators(
    rule(['secret_key'], permissions),
    ApiBearerAuth('secret_key'),
    ApiExtension('x-required-permissions', permissions),
    v1Errors(),
    ApiNotFoundResponse({ type: V1ErrorDto, description: 'Not found in this project.' }),
  );
}

/** The endpoint for agents. `McpGuard` checks the site that the request comes from, and then the credential. */
export function AgentAccess(): MethodDecorator {
  return rule(['secret_key', 'oauth_token'], [], { ownGuard: true });
}

/** The routes for provisioning: only a SCIM token, which decides the organization. */
export function ScimAccess(): MethodDecorator {
  return rule(['scim_token']);
}

/** No credential is required or read. */
export function Anonymous(): MethodDecorator {
  return rule([]);
}
