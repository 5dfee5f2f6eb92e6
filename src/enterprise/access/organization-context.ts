import type { ApiRequest } from '../../platform/http/request.js';
import type { Feature } from '../licence/features.js';
import type { OrganizationRole } from './organization-role.js';

export const ORGANIZATION_RULE = 'organization-rule';

export interface OrganizationRule {
  /** Null: the route is not of one organization. */
  role: OrganizationRole | null;
  /** All of them, one after the other. */
  features: (body: unknown) => Feature[];
  /** Leaving must work also for a person who was added to an organization that requires its identity provider. */
  letsOneself?: 'leave';
  /** The role that the body's fields need, if more than `role`. */
  roleFor?: (body: unknown) => OrganizationRole;
}

/** The organization of a request's path, and the caller's place in it. */
export interface OrganizationContext {
  orgId: string;
  userId: string;
  email: string;
  role: OrganizationRole;
}

/** `organization` is set by the guard. */
export type OrganizationRequest = ApiRequest & { organization?: OrganizationContext };

const ranks: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 };

export function isAtLeast(role: OrganizationRole, needed: OrganizationRole): boolean {
  return ranks[role] >= ranks[needed];
}
