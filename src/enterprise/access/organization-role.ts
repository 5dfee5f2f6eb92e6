export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** How the person became a member: added manually, with a project, or by an identity provider. */
export const organizationMemberSources = ['manual', 'sso', 'scim', 'project'] as const;
export type OrganizationMemberSource = (typeof organizationMemberSources)[number];
