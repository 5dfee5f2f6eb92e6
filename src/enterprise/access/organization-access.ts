import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { RequireEnterpriseSession } from '../../platform/auth/access.js';
import type { ApiRequest } from '../../platform/http/request.js';
import type { Feature } from '../licence/features.js';
import type { OrganizationRole } from './organization-role.js';
import { OrganizationGuard } from './organization.guard.js';
import {
  ORGANIZATION_RULE,
  type OrganizationContext,
  type OrganizationRequest,
  type OrganizationRule,
} from './organization-context.js';
import type { OrganizationWrite } from './organization-write.js';

/** What the fields of a body need, where that differs. */
interface BodyRule {
  features: (body: unknown) => Feature[];
  roleFor: (body: unknown) => OrganizationRole;
}

function ruled(rule: OrganizationRule, feature: Feature): MethodDecorator {
  return applyDecorators(
    SetMetadata(ORGANIZATION_RULE, rule),
    RequireEnterpriseSession(),
    UseGuards(OrganizationGuard),
    ApiExtension('x-enterprise', feature),
  );
}

/**
 * A route of an organization (`:org_id`): for its active members with at least this role. Answers, in this order: 401
 * without a session, 403 without the licensed feature, 404 to others than active members, 403 where the organization
 * requires its identity provider, 403 to a lower role.
 */
export function OrganizationAccess(
  role: OrganizationRole,
  feature: Feature,
  rule?: BodyRule | Pick<OrganizationRule, 'letsOneself'>,
): MethodDecorator {
  return applyDecorators(
    ruled({ role, features: () => [feature], ...rule }, feature),
    ApiExtension('x-required-organization-role', role),
  );
}

/** A route of every signed-in person that needs a licensed feature: 403 without it. */
export function RequiresFeature(feature: Feature): MethodDecorator {
  return ruled({ role: null, features: () => [feature] }, feature);
}

function contextOf(context: ExecutionContext): { request: ApiRequest; organization: OrganizationContext } {
  const request = context.switchToHttp().getRequest<OrganizationRequest>();
  if (!request.organization) throw new Error('the route has no OrganizationAccess');
  return { request, organization: request.organization };
}

/** The organization of the path, and the caller's place in it. */
export const CurrentOrganization = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationContext => contextOf(context).organization,
);

/** The write of a request, in the organization of its path. */
export const CurrentOrganizationWrite = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationWrite => {
    const { request, organization } = contextOf(context);
    const { orgId, userId, email } = organization;
    const { id: requestId, idempotencyClaim } = request;
    return { orgId, actor: { type: 'user', id: userId, email }, requestId, idempotencyClaim };
  },
);
