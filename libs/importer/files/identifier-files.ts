import type { Store } from '../../engine/index.js';
import type { ImportCustomer, ImportSubscription } from '../customer-item.js';
import { type CsvRow, csvRows, isProblem, valueOf } from './csv-file.js';
import { FileError } from './file-error.js';
import type { FileSourceOptions } from './file-source.model.js';
import { tokenColumns } from './google-tokens.js';
import { transactionOfReceipt } from './transaction-of-receipt.js';

/**
 * The purchase in a row, or the reason why the row cannot be used. The server asks the store only about items that
 * contain nothing but an identifier, so products in the file are ignored.
 */
type ReadIdentifier = (row: CsvRow) => Promise<IdentifiedPurchase | string>;
interface IdentifiedPurchase {
  store: Store;
  item: Partial<ImportSubscription>;
}

const CUSTOMER = ['app_user_id', 'rc_original_app_user_id', 'customer_id', 'user_id'];
const ORIGINAL_ID = ['original_transaction_id', 'apple_original_transaction_id', 'original_id'];

/** Reads CSV in the format of the vendor's own bulk import: one file per store, recognized by its columns. */
export function receiptCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  return identifiedCustomers(options, [CUSTOMER, ['receipt', 'token', 'subscription_token']], async (row) => {
    const receipt = valueOf(row, ['receipt']);
    if (receipt !== null) {
      const transaction = await transactionOfReceipt(receipt);
      if (!transaction)
        return 'has a receipt without a transaction, or one that is no receipt of the App Store';
      const environment = transaction.environment ?? undefined;
      return { store: 'app_store', item: { original_transaction_id: transaction.id, environment } };
    }
    const token = valueOf(row, ['token']);
    if (token !== null) return { store: 'play_store', item: { purchase_token: token } };
    const ofStripe = valueOf(row, ['subscription_token']);
    if (ofStripe === null) return 'has neither receipt, nor token, nor subscription_token';
    return { store: 'stripe', item: { store_subscription_identifier: ofStripe } };
  });
}

export function appleIdCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  return identifiedCustomers(options, [CUSTOMER, ORIGINAL_ID], (row) => {
    const id = valueOf(row, ORIGINAL_ID)?.trim() ?? '';
    // Spreadsheets convert long numbers to 2E+15.
    const isId = /^\d{1,64}$/.test(id);
    return Promise.resolve(
      isId
        ? { store: 'app_store', item: { original_transaction_id: id } }
        : 'has no original transaction id, or one that is not a whole number',
    );
  });
}

export function googleTokenCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  return identifiedCustomers(options, [CUSTOMER, tokenColumns.token], (row) => {
    const token = valueOf(row, tokenColumns.token);
    return Promise.resolve(
      token === null ? 'has no purchase token' : { store: 'play_store', item: { purchase_token: token } },
    );
  });
}

async function* identifiedCustomers(
  options: FileSourceOptions,
  requires: string[][],
  read: ReadIdentifier,
): AsyncGenerator<ImportCustomer> {
  for (const file of options.files) {
    for await (const row of csvRows(file, { requires })) {
      const id = isProblem(row) ? null : valueOf(row, CUSTOMER);
      const found = isProblem(row) ? row.problem : id === null ? 'names no customer' : await read(row);
      if (typeof found === 'string') {
        options.onSkipped({ kind: 'row', id: `${file}:${row.line}`, reason: found });
        continue;
      }
      const appId = options.appIdOf(found.store);
      if (appId === null) {
        throw new FileError(
          `${file} has purchases of ${found.store}, but it is not clear which app they belong to. Add --app ${found.store}=<app id>.`,
        );
      }
      yield { id: id as string, subscriptions: [{ app_id: appId, store: found.store, ...found.item }] };
    }
  }
}
