export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Ways to become a member: added manually, with a project, or by an identity provider. */
export const organizationMemberSources = ['manual', 'sso', 'scim', 'project'] as const;
export type OrganizationMemberSource = (typeof organizationMemberSources)[number];
