import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ScimAccess } from '../../../platform/auth/access.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { ScimTokenPrincipal } from '../../../platform/principal/principal.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { LicenceService } from '../../licence/licence.service.js';
import { ScimRateLimitService } from './scim-rate-limit.service.js';

/** Runs after the global guard, which finds the token: 403 without the licensed feature, 429. */
@Injectable()
export class ScimGuard implements CanActivate {
  constructor(
    private readonly licence: LicenceService,
    private readonly limits: ScimRateLimitService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    this.licence.assertFeature('scim');
    const { organizationId, tokenId } = scimToken(context);
    await this.limits.count(organizationId, tokenId);
    return true;
  }
}

function scimToken(context: ExecutionContext): ScimTokenPrincipal {
  const { principal } = context.switchToHttp().getRequest<ApiRequest>();
  if (principal?.kind !== 'scim_token') throw new Error('the route is open to others than SCIM tokens');
  return principal;
}

/** A route of the SCIM service; answers 401 without a SCIM token, 403 without the licensed feature. */
export function ScimRoute(): MethodDecorator {
  return applyDecorators(ScimAccess(), UseGuards(ScimGuard));
}

/** The request's write, in the organization of its token. */
export const CurrentScimWrite = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationWrite => {
    const { id: requestId } = context.switchToHttp().getRequest<ApiRequest>();
    const { organizationId: orgId, tokenId } = scimToken(context);
    return { orgId, actor: { type: 'scim', id: tokenId, email: null }, requestId };
  },
);
