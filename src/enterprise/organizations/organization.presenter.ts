import type { Feature } from '../licence/features.js';
import type { OrganizationDto, OrganizationOverviewDto } from './organization.dto.js';
import type { OrganizationCounts, SeenOrganization } from './organizations.repository.js';
import { regionNames, type RegionsService } from './regions.service.js';

export function presentOrganization(
  organization: SeenOrganization,
  { selectable, areEnforced }: Pick<RegionsService, 'selectable' | 'areEnforced'>,
  features: readonly Feature[],
): OrganizationDto {
  const { region } = organization;
  return {
    object: 'organization',
    id: organization.id,
    name: organization.name,
    your_role: organization.role,
    region,
    region_name: regionNames[region],
    selectable_regions: selectable,
    region_enforced: areEnforced,
    audit_retention_days: organization.auditRetentionDays,
    sso_enforced: organization.ssoEnforced,
    seats: { purchased: organization.seats, used: organization.seatsUsed },
    billing_email: organization.billingEmail,
    member_count: organization.memberCount,
    project_count: organization.projectCount,
    features: [...features],
    created_at: organization.createdAt.getTime(),
    updated_at: organization.updatedAt.getTime(),
  };
}

export function presentOverview(
  organization: OrganizationDto,
  counts: OrganizationCounts,
): OrganizationOverviewDto {
  return {
    ...organization,
    sso: {
      connections: counts.connections,
      enabled_connections: counts.enabledConnections,
      domains: counts.domains,
      verified_domains: counts.verifiedDomains,
    },
    scim: {
      tokens: counts.tokens,
      users: counts.scimUsers,
      active_users: counts.activeScimUsers,
      groups: counts.scimGroups,
    },
    custom_roles: counts.customRoles,
    role_mappings: counts.roleMappings,
  };
}
