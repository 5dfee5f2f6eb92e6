import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Organization, OrganizationRole } from './enterprise.types.js';
import { organizationQuery } from './organizations.queries.js';
import type { Allowance } from './permissions.js';

/** The organization of the current page, which renders only once it is loaded. */
export function useOrganization(): Organization | undefined {
  const { orgId = '' } = useParams({ strict: false });
  return useQuery({ ...organizationQuery(orgId), enabled: orgId !== '' }).data;
}

const ranks: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 };

export const hasRole = (role: OrganizationRole, needed: OrganizationRole): boolean =>
  ranks[role] >= ranks[needed];

const reasons: Record<OrganizationRole, string> = {
  member: 'Only members of this organization can do this.',
  admin: 'Only owners and admins of this organization can do this.',
  owner: 'Only owners of this organization can do this.',
};

/** Whether the person has at least this role in the organization of the current page. */
export function useOrganizationMay(needed: OrganizationRole): Allowance {
  const organization = useOrganization();
  const allowed = organization === undefined || hasRole(organization.your_role, needed);
  return { allowed, reason: allowed ? null : reasons[needed] };
}
