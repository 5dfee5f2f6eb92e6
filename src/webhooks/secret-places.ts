/** Where each sealed secret of an integration belongs; it opens nowhere else. */
export function signingSecretPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/signing_secret`;
}

/** The secret before a rotation, while it still signs. */
export function previousSigningSecretPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/previous_signing_secret`;
}

export function authorizationPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/authorization_header`;
}
