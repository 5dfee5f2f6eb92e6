import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ScimAccess } from '../../../platform/auth/access.js';
import type { ApiRequest } from '../../../platform/http/request.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { LicenceService } from '../../licence/licence.service.js';

/** After the guard of all routes, which has found the token: 403 without the licensed feature. */
@Injectable()
export class ScimGuard implements CanActivate {
  constructor(private readonly licence: LicenceService) {}

  canActivate(): boolean {
    this.licence.assertFeature('scim');
    return true;
  }
}

/** A route of the SCIM service: 401 without a SCIM token, 403 without the licensed feature. */
export function ScimRoute(): MethodDecorator {
  return applyDecorators(ScimAccess(), UseGuards(ScimGuard));
}

/** The write of a request, in the organization of its token. */
export const CurrentScimWrite = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationWrite => {
    const { principal, id: requestId } = context.switchToHttp().getRequest<ApiRequest>();
    if (principal?.kind !== 'scim_token') throw new Error('the route is open to others than SCIM tokens');
    const { organizationId: orgId, tokenId } = principal;
    return { orgId, actor: { type: 'scim', id: tokenId, email: null }, requestId };
  },
);
