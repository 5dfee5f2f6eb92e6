import type { SealedColumn } from '../../platform/secrets/sealed-column.js';
import type { CredentialName } from './store-fields.js';

/** The place that a sealed credential is bound to: it cannot be opened for any other. */
export function credentialPlace(projectId: string, appId: string, name: CredentialName): string {
  return `${projectId}/${appId}/${name}`;
}

export const sealedAppColumns: SealedColumn[] = [
  {
    table: 'apps',
    key: ['project_id', 'id'],
    column: 'sealed_credentials',
    type: 'json',
    place: ({ project_id: projectId = '', id = '' }, name) =>
      credentialPlace(projectId, id, name as CredentialName),
  },
];
