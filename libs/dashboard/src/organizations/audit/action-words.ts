/** Formats `sso_connection_created` as “SSO connection created”. */
export function actionWords(action: string): string {
  const text = action.replaceAll('_', ' ').replace(/^(sso|scim)\b/, (name) => name.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the path of a changed object's page, relative to the organization; null if it has none or was deleted. */
export function pageOfTarget({ type, id }: { type: string; id: string }, action: string): string | null {
  if (/_(deleted|removed|revoked)$/.test(action)) return null;
  const places: Record<string, string> = {
    member: '/members',
    user: '/members',
    project: `/projects/${id}`,
    role: `/roles/${id}`,
    custom_role: `/roles/${id}`,
    role_mapping: '/mappings',
    sso_connection: `/sso/${id}`,
    sso_domain: '/sso',
    scim_token: '/scim',
    scim_user: '/scim',
    scim_group: '/scim',
    organization: '/settings',
  };
  return places[type] ?? null;
}
