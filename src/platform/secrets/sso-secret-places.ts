import type { SealedColumn } from './sealed-column.js';

export function clientSecretPlace(orgId: string, id: string): string {
  return `${orgId}/${id}/client_secret`;
}

/**
 * Sealed columns of the enterprise edition. They are here because keys are rotated whether it is loaded or not. PKCE
 * verifiers of sign-ins in progress are omitted: they are useless after ten minutes.
 */
export const sealedSsoColumns: SealedColumn[] = [
  {
    table: 'sso_connections',
    key: ['org_id', 'id'],
    column: 'sealed_client_secret',
    type: 'text',
    place: (key) => clientSecretPlace(key.org_id ?? '', key.id ?? ''),
  },
];
