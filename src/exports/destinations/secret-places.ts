import type { SealedColumn, SealedRowKey } from '../../platform/secrets/sealed-column.js';

/** The place that the sealed secrets of a destination are bound to; they cannot be opened anywhere else. */
export function secretsPlace(projectId: string, destinationId: string): string {
  return `${projectId}/${destinationId}/export_secrets`;
}

export const sealedExportColumns: SealedColumn[] = [
  {
    table: 'export_destinations',
    key: ['project_id', 'id'],
    column: 'sealed_secrets',
    type: 'text',
    place: ({ project_id: projectId = '', id = '' }: SealedRowKey) => secretsPlace(projectId, id),
  },
];
