import type { SealedColumn, SealedRowKey } from '../../../platform/secrets/sealed-column.js';

/** The place that each sealed secret of an integration is bound to; it cannot be opened anywhere else. */
export function signingSecretPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/signing_secret`;
}

/** The secret before a rotation, while it is still used for signing. */
export function previousSigningSecretPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/previous_signing_secret`;
}

export function authorizationPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/authorization_header`;
}

export function settingsPlace(projectId: string, integrationId: string): string {
  return `${projectId}/${integrationId}/settings`;
}

const column = (
  name: string,
  placeOf: (projectId: string, integrationId: string) => string,
): SealedColumn => ({
  table: 'webhook_integrations',
  key: ['project_id', 'id'],
  column: name,
  type: 'text',
  place: ({ project_id: projectId = '', id = '' }: SealedRowKey) => placeOf(projectId, id),
});

export const sealedIntegrationColumns: SealedColumn[] = [
  column('sealed_signing_secret', signingSecretPlace),
  column('sealed_previous_signing_secret', previousSigningSecretPlace),
  column('sealed_authorization_header', authorizationPlace),
  column('sealed_settings', settingsPlace),
];
