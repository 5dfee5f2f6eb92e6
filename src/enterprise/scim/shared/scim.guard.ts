import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ScimAccess } from '../../../platform/auth/access.js';
import { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import type { ScimTokenPrincipal } from '../../../platform/principal/principal.js';
import type { OrganizationWrite } from '../../access/organization-write.js';
import { LicenceService } from '../../licence/licence.service.js';

const MINUTE_MS = 60_000;

/** Runs after the global guard, which finds the token: 403 without the licensed feature, 429. */
@Injectable()
export class ScimGuard implements CanActivate {
  private readonly limit: RateLimit | null;

  constructor(
    private readonly licence: LicenceService,
    private readonly limiter: RateLimiterService,
    { rateLimitScim: max }: Config,
  ) {
    this.limit = max === 0 ? null : { name: 'scim', max, windowMs: MINUTE_MS, aligned: true };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    this.licence.assertFeature('scim');
    const { organizationId, tokenId } = scimToken(context);
    await this.countRequest(organizationId, tokenId);
    return true;
  }

  /** Limits requests, because a filter without an index reads every user of an organization. @throws ApiError 429 */
  private async countRequest(orgId: string, tokenId: string): Promise<void> {
    if (this.limit === null) return;
    const { allowed, resetsAt } = await this.limiter.hit(this.limit, orgId, tokenId);
    if (!allowed)
      throw this.limiter.refusal(`More than ${this.limit.max} requests a minute with one token.`, resetsAt);
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
