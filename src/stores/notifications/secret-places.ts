import type { SealedColumn } from '../../platform/secrets/sealed-column.js';

export function notificationBodyPlace(projectId: string, id: string): string {
  return `${projectId}/${id}/sealed_body`;
}

export const sealedNotificationColumns: SealedColumn[] = [
  {
    table: 'store_notifications',
    key: ['project_id', 'id'],
    column: 'sealed_body',
    type: 'text',
    place: ({ project_id: projectId = '', id = '' }) => notificationBodyPlace(projectId, id),
  },
];
