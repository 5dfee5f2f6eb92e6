import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { Feature } from '../licence/features.js';
import type { OrganizationRole } from './organization-role.js';

export const ORGANIZATION_RULE = 'organization-rule';

export interface OrganizationRule {
  /** Null if the route does not belong to one organization. */
  role: OrganizationRole | null;
  /** All are checked, in order. */
  features: (body: unknown) => Feature[];
  /** Lets people leave even if they were added to an organization that requires its identity provider. */
  letsOneself?: 'leave';
  /** The role that the body's fields need, if higher than `role`. */
  roleFor?: (body: unknown) => OrganizationRole;
}

/** The organization in a request's path, with the caller's role in it. */
export interface OrganizationContext {
  orgId: string;
  userId: string;
  email: string;
  role: OrganizationRole;
}

/** The guard sets `organization`. */
export type OrganizationRequest = ApiRequest & { organization?: OrganizationContext };

const ranks: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 };

export function isAtLeast(role: OrganizationRole, needed: OrganizationRole): boolean {
  return ranks[role] >= ranks[needed];
}
