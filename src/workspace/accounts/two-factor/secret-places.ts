import type { SealedColumn, SealedRowKey } from '../../../platform/secrets/sealed-column.js';

/** Place of a sealed authenticator secret; it cannot be opened elsewhere. */
export function totpSecretPlace(userId: string): string {
  return `${userId}/totp_secret`;
}

export const sealedTwoFactorColumns: SealedColumn[] = [
  {
    table: 'users',
    key: ['id'],
    column: 'sealed_totp_secret',
    type: 'text',
    place: ({ id = '' }: SealedRowKey) => totpSecretPlace(id),
  },
];
