import type { Schema } from './types.js';

/** Schemas of organizations, by the names that their pages use. */
export type EnterpriseStatus = Schema<'EnterpriseStatusDto'>;
export type Feature = EnterpriseStatus['features'][number];
export type Organization = Schema<'OrganizationDto'>;
export type OrganizationOverview = Schema<'OrganizationOverviewDto'>;
export type OrganizationChanges = Schema<'UpdateOrganizationDto'>;
export type Region = Organization['region'];
export type OrganizationRole = Organization['your_role'];
export type OrganizationMember = Schema<'OrganizationMemberDto'>;
export type OrganizationProject = Schema<'OrganizationProjectDto'>;
export type OrganizationProjectMember = Schema<'ProjectMemberDto'>;
export type OrganizationAuditEntry = Schema<'OrganizationAuditLogDto'>;
export type CustomRole = Schema<'CustomRoleDto'>;
export type CustomRoleBody = Schema<'CreateCustomRoleDto'>;
export type RoleMapping = Schema<'RoleMappingDto'>;
export type ScopeGroup = Schema<'ScopeCatalogueDto'>['groups'][number];
export type SsoConnection = Schema<'SsoConnectionDto'>;
export type SamlSettings = Schema<'SamlSettingsDto'>;
export type OidcSettings = Schema<'OidcSettingsDto'>;
export type NewSsoConnection = Schema<'CreateSsoConnectionDto'>;
export type SsoConnectionBody = Schema<'UpdateSsoConnectionDto'>;
export type SsoDomain = Schema<'SsoDomainDto'>;
export type ScimToken = Schema<'ScimTokenDto'>;
export type ScimGroup = Schema<'ListedScimGroupDto'>;
