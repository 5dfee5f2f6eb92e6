import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { RequireEnterpriseSession } from '../../platform/auth/access.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
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

/** Requirements that depend on the fields of the body. */
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
 * Restricts an organization's route (`:org_id`) to active members with at least this role. Checks in this order: 401
 * without a session, 403 without the licensed feature, 404 unless an active member, 403 where the organization requires
 * its identity provider, 403 for a lower role.
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

/** A route for every signed-in person that needs a licensed feature; answers 403 without it. */
export function RequiresFeature(feature: Feature): MethodDecorator {
  return ruled({ role: null, features: () => [feature] }, feature);
}

function contextOf(context: ExecutionContext): { request: ApiRequest; organization: OrganizationContext } {
  const request = context.switchToHttp().getRequest<OrganizationRequest>();
  if (!request.organization) throw new Error('the route has no OrganizationAccess');
  return { request, organization: request.organization };
}

/** The organization in the path, with the caller's role in it. */
export const CurrentOrganization = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationContext => contextOf(context).organization,
);

/** The request's write, in the organization of its path. */
export const CurrentOrganizationWrite = createParamDecorator(
  (_: unknown, context: ExecutionContext): OrganizationWrite => {
    const { request, organization } = contextOf(context);
    const { orgId, userId, email } = organization;
    const { id: requestId, idempotencyClaim } = request;
    return { orgId, actor: { type: 'user', id: userId, email }, requestId, idempotencyClaim };
  },
);
