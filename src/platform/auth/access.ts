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
import { AccountErrorDto, V1ErrorDto, V2ErrorDto } from '../http/errors/error.dto.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import type { OauthScope } from '../principal/oauth-scopes.js';
import type { Permission } from '../principal/permissions.js';
import type { PrincipalKind } from '../principal/principal.js';

export const ACCESS_RULE = 'access-rule';

/** The access rule of a route. The server does not start if a route has none. */
export interface AccessRule {
  /** Empty if no credential is required. */
  credentials: PrincipalKind[];
  /** All are required, in the project of the path. */
  permissions: Permission[];
  /**
   * Scope that an OAuth client needs instead of those that add the permissions. The person's role must still hold them.
   */
  scope?: OauthScope;
  /** Requires a project admin, whatever permissions other roles hold. */
  adminOnly: boolean;
  /** Path parameter with a user id. That user needs neither the permissions nor a role. */
  selfParameter?: string;
  /** The route belongs to an organization and has its own guard. A project in its path is not looked up. */
  isOfOrganization?: boolean;
  /** The response never depends on the body, which is not read. */
  ignoresBody?: boolean;
  /** The route has its own guard, which checks more than the credential and something else first. */
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

/** Common to every REST v2 route: error responses, and the `Idempotency-Key` on writes. */
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

/**
 * REST v2: requires a secret key, an OAuth client or a member's session with the permissions. The 403 and the OpenAPI
 * document name the same ones.
 */
export function RequirePermission(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return permitted(permissions);
}

/**
 * REST v2 routes with the same response for everyone who has access to the project; permissions and body are ignored.
 */
export function RequireProjectAccess(): MethodDecorator {
  return rule(['secret_key', 'oauth_token', 'session'], [], { ignoresBody: true });
}

/** Like `RequirePermission`, but OAuth clients need the given scope instead of the one that adds the permission. */
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

/** REST v2 routes for signed-in users only; secret keys and clients get 403. */
export function RequireSession(...permissions: Permission[]): MethodDecorator {
  return applyDecorators(
    rule(['session'], permissions),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    v2Route(permissions),
  );
}

/** REST v2 routes for project admins who are signed in; other roles and secret keys get 403. */
export function RequireProjectAdmin(...permissions: Permission[]): MethodDecorator {
  return admins(permissions);
}

/** Like `RequireProjectAdmin`, but also allows the member whose id is in the path parameter. */
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

/** Enterprise routes for signed-in users only. A guard for organization routes checks the rest. */
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
 * SDK routes: an app's public key, or a secret key of its project with the permissions. Only routes that reveal nothing
 * about the project may omit permissions.
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

/** SDK routes that also accept a customer's access token; the guard restricts it to its own customer. */
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

/** Routes below /v1/customer: access tokens only. Anything else gets 401, which triggers a token refresh in SDKs. */
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

/** A customer's own access token, or a secret key with the permissions; public keys get 403. */
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

/** Sign-in routes of SDKs: an app's public key, never a secret key. */
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

/** REST v1 for backends: a secret key with the permissions; public keys get 403. */
export function SecretKeyAccess(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return applyDecorators(
    rule(['secret_key'], permissions),
    ApiBearerAuth('secret_key'),
    ApiExtension('x-required-permissions', permissions),
    v1Errors(),
    ApiNotFoundResponse({ type: V1ErrorDto, description: 'Not found in this project.' }),
  );
}

/** The endpoint for agents. `McpGuard` checks the origin of the request, then the credential. */
export function AgentAccess(): MethodDecorator {
  return rule(['secret_key', 'oauth_token'], [], { ownGuard: true });
}

/** SCIM routes: only a SCIM token, which determines the organization. */
export function ScimAccess(): MethodDecorator {
  return rule(['scim_token']);
}

/** No credential is required or read. */
export function Anonymous(): MethodDecorator {
  return rule([]);
}
