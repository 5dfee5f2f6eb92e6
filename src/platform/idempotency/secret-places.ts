import type { SealedColumn } from '../secrets/sealed-column.js';

/** The sealed answer cannot be opened elsewhere. */
export function answerPlace({ tenantId, key }: { tenantId: string; key: string }): string {
  return `${tenantId}/idempotency_keys/${key}`;
}

export const sealedAnswerColumns: SealedColumn[] = [
  {
    table: 'idempotency_keys',
    key: ['tenant_id', 'key'],
    column: 'sealed_body',
    type: 'text',
    place: ({ tenant_id: tenantId = '', key = '' }) => answerPlace({ tenantId, key }),
  },
];
