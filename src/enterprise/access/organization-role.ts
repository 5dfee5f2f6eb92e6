/* A person's place in an organization. */

export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** How the person came: by hand, with a project, or through an identity provider. */
export const organizationMemberSources = ['manual', 'sso', 'scim', 'project'] as const;
export type OrganizationMemberSource = (typeof organizationMemberSources)[number];
