import type { SealedColumn, SealedRowKey } from '../../../platform/secrets/sealed-column.js';

/** Where a sealed authenticator secret belongs; it opens nowhere else. */
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
