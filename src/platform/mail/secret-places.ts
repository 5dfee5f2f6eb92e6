import type { SealedColumn } from '../secrets/sealed-column.js';

/** The sealed content cannot be opened elsewhere. */
export function mailPlace({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId}/mails/${id}`;
}

export const sealedMailColumns: SealedColumn[] = [
  {
    table: 'mails',
    key: ['tenant_id', 'id'],
    column: 'sealed_content',
    type: 'text',
    place: ({ tenant_id: tenantId = '', id = '' }) => mailPlace({ tenantId, id }),
  },
];
