import type { SealedColumn } from '../../platform/secrets/sealed-column.js';

export function refundTokenPlace(projectId: string, id: string): string {
  return `${projectId}/${id}/sealed_refund_token`;
}

export const sealedRefundTokenColumns: SealedColumn[] = [
  {
    table: 'refund_requests',
    key: ['project_id', 'id'],
    column: 'sealed_refund_token',
    type: 'text',
    place: ({ project_id: projectId = '', id = '' }) => refundTokenPlace(projectId, id),
  },
];
