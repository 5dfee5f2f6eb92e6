/** Actions in an organization's audit log. */
export const organizationAuditActions = [
  'organization_created',
  'organization_updated',
  'member_added',
  'member_role_changed',
  'member_removed',
  'project_added',
  'project_removed',
  'project_region_changed',
  'project_role_changed',
  'role_created',
  'role_updated',
  'role_deleted',
  'role_mapping_saved',
  'role_mapping_deleted',
  'sso_connection_created',
  'sso_connection_updated',
  'sso_connection_deleted',
  'sso_domain_added',
  'sso_domain_verified',
  'sso_domain_removed',
  'sso_sign_in',
  'sso_sign_in_failed',
  'scim_token_created',
  'scim_token_revoked',
  'scim_user_created',
  'scim_user_updated',
  'scim_user_deactivated',
  'scim_user_reactivated',
  'scim_user_deleted',
  'scim_group_created',
  'scim_group_updated',
  'scim_group_deleted',
  'audit_logs_purged',
  'compliance_export_created',
] as const;
export type OrganizationAuditAction = (typeof organizationAuditActions)[number];

export interface OrganizationAuditEntry {
  action: OrganizationAuditAction;
  /** `organization`, `member`, `project`, `role`, `role_mapping`, `sso_connection`, `scim_user`, ... */
  target: string;
  targetId: string;
  /** Details such as `changes`; never secrets or assertions. */
  data?: Record<string, unknown>;
}
