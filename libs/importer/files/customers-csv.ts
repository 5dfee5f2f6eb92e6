import type { ImportAttribute, ImportCustomer } from '../customer-item.js';
import { attributesOf } from './attributes.js';
import { type CsvRow, csvRows, isProblem, valueOf } from './csv-file.js';
import type { FileSourceOptions } from './file-source.model.js';
import { timeOf } from './values.js';

/** Columns that contain reserved attributes. */
const RESERVED: readonly [column: string, attribute: string][] = [
  ['email', '$email'],
  ['phone_number', '$phoneNumber'],
  ['idfa', '$idfa'],
  ['idfv', '$idfv'],
  ['gps_ad_id', '$gpsAdId'],
  ['media_source', '$mediaSource'],
  ['campaign', '$campaign'],
  ['ad_group', '$adGroup'],
  ['ad', '$ad'],
  ['keyword', '$keyword'],
  ['creative', '$creative'],
];

/** Reads customers from the vendor's customer-list export. */
export async function* listedCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  for (const file of options.files) {
    for await (const row of csvRows(file, { requires: [['app_user_id']] })) {
      const parsed = isProblem(row) ? row.problem : listedCustomer(row, options.nowMs);
      if (typeof parsed !== 'string') yield parsed;
      else options.onSkipped({ kind: 'row', id: `${file}:${row.line}`, reason: parsed });
    }
  }
}

function listedCustomer(row: CsvRow, nowMs: number): ImportCustomer | string {
  const id = valueOf(row, ['app_user_id']);
  if (id === null) return 'has no app_user_id';
  const firstSeen = timeOf(valueOf(row, ['first_seen_at']));
  const lastSeen = timeOf(valueOf(row, ['last_seen_at']));
  // The columns have no time of their own. No SDK changed an attribute after the customer was last seen.
  const updatedAt = lastSeen ?? firstSeen ?? nowMs;
  const reserved = RESERVED.flatMap(([column, name]): ImportAttribute[] => {
    const value = valueOf(row, [column]);
    return value === null ? [] : [{ name, value, updated_at: updatedAt }];
  });
  return {
    id,
    first_seen_at: firstSeen ?? undefined,
    last_seen_at: lastSeen ?? undefined,
    attributes: [...reserved, ...attributesOf(valueOf(row, ['custom_attributes']), updatedAt)],
  };
}
