import type { DataSource } from 'typeorm';
import { type Sealer, sealerOf } from '../../libs/signing/index.js';
import { sealedNotificationColumns } from '../stores/notifications/secret-places.js';
import { sealedRefundTokenColumns } from '../stores/refund-requests/secret-places.js';
import { sealedExternalTokenColumns } from '../purchases/external-purchases/secret-places.js';
import { sealedExportColumns } from '../exports/destinations/secret-places.js';
import { sealedAppColumns } from '../catalog/apps/secret-places.js';
import { sealedAnswerColumns } from '../platform/idempotency/secret-places.js';
import { sealedMailColumns } from '../platform/mail/secret-places.js';
import type { SealedColumn, SealedRowKey } from '../platform/secrets/sealed-column.js';
import { sealedSsoColumns } from '../platform/secrets/sso-secret-places.js';
import { sealedIntegrationColumns } from '../webhooks/deliveries/integrations/secret-places.js';
import { sealedTwoFactorColumns } from '../workspace/accounts/two-factor/secret-places.js';
import { quoted } from './tables.js';

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedAppColumns,
  ...sealedExternalTokenColumns,
  ...sealedNotificationColumns,
  ...sealedRefundTokenColumns,
  ...sealedIntegrationColumns,
  ...sealedExportColumns,
  ...sealedAnswerColumns,
  ...sealedMailColumns,
  ...sealedTwoFactorColumns,
  ...sealedSsoColumns,
];

const ROWS_AT_ONCE = 500;

export interface SealedTally {
  /** Sealed with the current key. */
  present: number;
  /** Sealed with the other key, or resealed if requested. */
  other: number;
  /** Texts that neither key opens: `table.column`, the row's key, and the text's name if a row has several. */
  closed: string[];
}

interface SealedRow {
  key: SealedRowKey;
  sealed: string;
}

/** `name` identifies one of several texts in a row. */
type Reseal = (sealed: string, place: string, name?: string) => string;

/**
 * With `rotate`, reseals texts that only the other key opens. Rows written in the meantime already use the current key.
 */
export async function tallySealedTexts(
  dataSource: DataSource,
  keys: { present: Buffer; other: Buffer | null },
  { rotate }: { rotate: boolean },
): Promise<SealedTally> {
  const tally: SealedTally = { present: 0, other: 0, closed: [] };
  const present = sealerOf(keys.present);
  const other = keys.other && sealerOf(keys.other);
  for (const column of sealedColumns) {
    for await (const row of rowsOf(dataSource, column)) {
      const owner = `${column.table}.${column.column} of ${Object.values(row.key).join('/')}`;
      const reseal = resealerOf(present, other, tally, owner);
      const anew = resealed(column, row, reseal);
      if (rotate && anew !== row.sealed) await replace(dataSource, column, row, anew);
    }
  }
  return tally;
}

function resealerOf(present: Sealer, other: Sealer | null, tally: SealedTally, owner: string): Reseal {
  return (sealed, place, name) => {
    if (opens(present, sealed, place) !== null) {
      tally.present++;
      return sealed;
    }
    const plain = other && opens(other, sealed, place);
    if (plain === null) {
      tally.closed.push(name === undefined ? owner : `${owner} (${name})`);
      return sealed;
    }
    tally.other++;
    return present.seal(plain, place);
  };
}

function opens(sealer: Sealer, sealed: string, place: string): string | null {
  try {
    return sealer.open(sealed, place);
  } catch {
    return null;
  }
}

function resealed(column: SealedColumn, { key, sealed }: SealedRow, reseal: Reseal): string {
  if (column.type === 'text') return reseal(sealed, column.place(key, null));
  const texts = Object.entries(JSON.parse(sealed) as Record<string, string>);
  const anew = texts.map(([name, text]) => [name, reseal(text, column.place(key, name), name)] as const);
  return anew.every(([, text], index) => text === texts[index]?.[1])
    ? sealed
    : JSON.stringify(Object.fromEntries(anew));
}

async function* rowsOf(
  dataSource: DataSource,
  { table, key, column }: SealedColumn,
): AsyncGenerator<SealedRow> {
  // Quoted, because a stored response has a key column called "key".
  const keys = key.map((name) => `t.${quoted(name)}`).join(', ');
  for (let after = key.map(() => ''); ;) {
    const rows = await dataSource.query<SealedRow[]>(
      `SELECT json_build_object(${key.map((name) => `'${name}', ${quoted(name)}`).join(', ')}) AS key,
         ${quoted(column)}::text AS sealed
       FROM ${quoted(table)} t
       WHERE (${keys}) > (${key.map((_, index) => `$${index + 1}`).join(', ')}) AND ${quoted(column)} IS NOT NULL
       ORDER BY ${keys} LIMIT ${ROWS_AT_ONCE}`,
      after,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    after = key.map((name) => last.key[name] ?? '');
  }
}

async function replace(
  dataSource: DataSource,
  { table, key, column, type }: SealedColumn,
  row: SealedRow,
  anew: string,
): Promise<void> {
  const matches = key.map((name, index) => `${quoted(name)} = $${index + 3}`).join(' AND ');
  await dataSource.query(
    `UPDATE ${quoted(table)} SET ${quoted(column)} = $1::${type}
     WHERE ${quoted(column)}::text = $2 AND ${matches}`,
    [anew, row.sealed, ...key.map((name) => row.key[name])],
  );
}
