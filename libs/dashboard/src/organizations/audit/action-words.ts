/** `sso_connection_created` as words: “SSO connection created”. */
export function actionWords(action: string): string {
  const text = action.replaceAll('_', ' ').replace(/^(sso|scim)\b/, (name) => name.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The fields that a change changed, each with its value before and after. */
export function changesIn(
  data: Readonly<Record<string, unknown>>,
): [field: string, before: unknown, after: unknown][] {
  const { changes } = data;
  if (typeof changes !== 'object' || changes === null) return [];
  return Object.entries(changes).flatMap(([field, change]: [string, unknown]) =>
    Array.isArray(change)
      ? [[field, change[0], change[1]] satisfies [string, unknown, unknown]]
      : [[field, undefined, change] satisfies [string, unknown, unknown]],
  );
}

/** The page of a changed object, below the organization's; null if it has none, or was deleted. */
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
