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
import type { Permission } from '../principal/permissions.js';
import type { PrincipalKind } from '../principal/principal.js';

export const ACCESS_RULE = 'access-rule';

/** Who may call a route. Stands beside every route; a route without one stops the server from starting. */
export interface AccessRule {
  /** Empty: anybody, without a credential. */
  credentials: PrincipalKind[];
  /** All of them are needed, in the project of the path. */
  permissions: Permission[];
  /** Only for admins of the project of the path, whatever else a role holds. */
  adminOnly: boolean;
}

function rule(
  credentials: PrincipalKind[],
  permissions: Permission[] = [],
  adminOnly = false,
): MethodDecorator {
  return SetMetadata(ACCESS_RULE, { credentials, permissions, adminOnly } satisfies AccessRule);
}

/** What every route of REST v2 has: its error answers; on writes also the `Idempotency-Key`. */
function v2Route(permissions: Permission[]): MethodDecorator {
  const writes = permissions.some((permission) => permission.endsWith(':read_write'));
  return writes ? applyDecorators(v2Errors(), UseInterceptors(IdempotencyInterceptor)) : v2Errors();
}

function v2Errors(): MethodDecorator {
  return applyDecorators(
    ApiUnauthorizedResponse({ type: V2ErrorDto, description: 'No credential, or an unknown one.' }),
    ApiForbiddenResponse({ type: V2ErrorDto, description: 'The credential lacks the permission.' }),
    ApiNotFoundResponse({ type: V2ErrorDto, description: 'Not found in this project.' }),
    ApiBadRequestResponse({ type: V2ErrorDto, description: 'A parameter is missing or not valid.' }),
  );
}

/**
 * REST v2: a secret key of the project, or a session of one of its members, holding the permissions.
 * The same names are enforced, named by the 403 and shown in the OpenAPI document.
 */
export function RequirePermission(...permissions: [Permission, ...Permission[]]): MethodDecorator {
  return applyDecorators(
    rule(['secret_key', 'session'], permissions),
    ApiBearerAuth('secret_key'),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    v2Route(permissions),
  );
}

/** REST v2 for people only; secret keys answer 403. */
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
  return applyDecorators(
    rule(['session'], permissions, true),
    ApiCookieAuth('session'),
    ApiExtension('x-required-permissions', permissions),
    ApiExtension('x-required-role', 'admin'),
    v2Errors(),
  );
}

/** Account routes that need a session. */
export function RequireAccountSession(): MethodDecorator {
  return applyDecorators(
    rule(['session']),
    ApiCookieAuth('session'),
    ApiUnauthorizedResponse({ type: AccountErrorDto, description: 'Not signed in.' }),
    ApiForbiddenResponse({ type: AccountErrorDto, description: 'A key, or a write from another site.' }),
  );
}

/**
 * SDK routes: the public key of an app, or a secret key of its project that holds the permissions. Only what tells
 * nothing of the project needs none.
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

function v1Errors(): MethodDecorator {
  return applyDecorators(
    ApiBadRequestResponse({ type: V1ErrorDto, description: 'The request can never be accepted.' }),
    ApiUnauthorizedResponse({ type: V1ErrorDto, description: 'No key, or an unknown one.' }),
    ApiForbiddenResponse({
      type: V1ErrorDto,
      description: 'The key is of the wrong kind or may not do this.',
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

/** No credential is asked for or looked at. */
export function Anonymous(): MethodDecorator {
  return rule([]);
}
