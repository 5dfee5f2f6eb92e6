import type { ImportCustomer } from '../customer-item.js';
import { currencyCustomers } from './currency-csv.js';
import { listedCustomers } from './customers-csv.js';
import { exportCustomers } from './export-source.js';
import type { FileSourceOptions } from './file-source.model.js';
import { appleIdCustomers, googleTokenCustomers, receiptCustomers } from './identifier-files.js';
import { jsonCustomers } from './json-lines.js';
import { checkFile } from './text-file.js';

/** Values of `--from` in addition to `api`. */
export const fileKinds = [
  'export',
  'customers-csv',
  'currency-csv',
  'receipts',
  'apple-ids',
  'google-tokens',
  'json',
] as const;
export type FileKind = (typeof fileKinds)[number];

const readers: Record<FileKind, (options: FileSourceOptions) => AsyncGenerator<ImportCustomer>> = {
  export: exportCustomers,
  'customers-csv': listedCustomers,
  'currency-csv': currencyCustomers,
  receipts: receiptCustomers,
  'apple-ids': appleIdCustomers,
  'google-tokens': googleTokenCustomers,
  json: jsonCustomers,
};

/**
 * Reads customers from files, in the same order on each run, so that an interrupted import can skip those already sent.
 * Memory use is bounded, whatever the size of the files.
 * @throws FileError before the first customer if a file cannot be read or lacks columns; later if it is damaged
 */
export async function* customersInFiles(
  kind: FileKind,
  options: FileSourceOptions,
): AsyncGenerator<ImportCustomer> {
  for (const file of options.files) await checkFile(file);
  yield* readers[kind](options);
}
