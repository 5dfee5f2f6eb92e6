import type { SealedColumn } from '../../platform/secrets/sealed-column.js';

export function externalTokenPlace(projectId: string, id: string): string {
  return `${projectId}/${id}/external_purchase_token`;
}

export const sealedExternalTokenColumns: SealedColumn[] = [
  {
    table: 'external_purchase_tokens',
    key: ['project_id', 'id'],
    column: 'sealed_token',
    type: 'text',
    place: ({ project_id: projectId = '', id = '' }) => externalTokenPlace(projectId, id),
  },
];
