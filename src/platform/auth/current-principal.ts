import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiError } from '../http/errors/api-error.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import type { Permission, PermissionSet } from '../principal/permissions.js';
import type { Principal } from '../principal/principal.js';

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<ApiRequest>();
  if (!principal) throw new ApiError('unauthenticated', 'The request has no credential.');
  return principal;
});

/** The member of the project who calls, also through an OAuth client; null for secret keys. */
export const CurrentMemberId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null => {
    const { principal } = context.switchToHttp().getRequest<ApiRequest>();
    return principal?.kind === 'session' || principal?.kind === 'oauth_token' ? principal.userId : null;
  },
);

/** The app user id in the customer's access token, for routes with `CustomerAccess`. */
export const SignedInAppUserId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { principal } = context.switchToHttp().getRequest<ApiRequest>();
  if (principal?.kind === 'customer_token') return principal.appUserId;
  throw new Error('the route is open to others than signed-in customers');
});

export function permissionsOf(principal: Principal): PermissionSet {
  if (principal.kind === 'session') return principal.membership?.permissions ?? new Set();
  return 'permissions' in principal ? principal.permissions : new Set();
}

/** Whether the caller has a permission besides that of the route. */
export function isPermitted({ principal }: ApiRequest, permission: Permission): boolean {
  return principal !== undefined && permissionsOf(principal).has(permission);
}

/** Checks the permission for an object embedded in the response. @throws ApiError 403 naming the permission */
export function assertMay(request: ApiRequest, permission: Permission): void {
  if (!isPermitted(request, permission)) {
    throw new ApiError('forbidden', `This credential lacks the permission (scope) \`${permission}\`.`);
  }
}
