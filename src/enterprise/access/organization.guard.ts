import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { LicenceService } from '../licence/licence.service.js';
import {
  isAtLeast,
  ORGANIZATION_RULE,
  type OrganizationRequest,
  type OrganizationRule,
} from './organization-context.js';
import { OrganizationAccessRepository } from './organization-access.repository.js';
import { mustUseSso, noOrganization } from './organization-errors.js';

/** Runs after the global guard, which finds the session. See `OrganizationAccess` for the order of checks. */
@Injectable()
export class OrganizationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly licence: LicenceService,
    private readonly repository: OrganizationAccessRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { role, features, roleFor, letsOneself } = this.reflector.get<OrganizationRule>(
      ORGANIZATION_RULE,
      context.getHandler(),
    );
    const request = context.switchToHttp().getRequest<OrganizationRequest>();
    const { principal, params } = request;
    const body = request.body as unknown;
    for (const feature of features(body)) this.licence.assertFeature(feature);
    if (role === null) return true;
    if (principal?.kind !== 'session') throw new Error('the route is open to others than people');
    const orgId = params.org_id as string;
    const { userId, email, ssoOrgId } = principal;
    const place = await this.repository.findMember(orgId, userId);
    if (!place) throw noOrganization(orgId);
    const isLeaving = letsOneself === 'leave' && params.user_id === userId;
    if (place.requiresSso && !isLeaving && this.licence.feature('sso') && ssoOrgId !== orgId)
      throw mustUseSso();
    const lowest = roleFor?.(body) ?? role;
    if (!isAtLeast(place.role, lowest)) {
      const needed = lowest === 'owner' ? 'Only owners' : 'Only owners and admins';
      throw new ApiError(
        'forbidden',
        `${needed} of the organization may do this; your role is ${place.role}.`,
      );
    }
    request.organization = { orgId, userId, email, role: place.role };
    return true;
  }
}
