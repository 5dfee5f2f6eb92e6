import { saveListAsCsv } from '../frame/jobs/list-csv.js';
import { isoTime } from '../ui/format/csv.js';
import { type Transaction, type TransactionFilter, transactionsPage } from './transactions.queries.js';

const header = [
  'id',
  'purchased_at',
  'customer_id',
  'app_id',
  'store',
  'store_transaction_id',
  'product_identifier',
  'kind',
  'environment',
  'price',
  'currency',
  'revenue_usd_gross',
  'revenue_usd_commission',
  'revenue_usd_tax',
  'revenue_usd_proceeds',
  'country',
  'expires_at',
];

/** One transaction as a row of the file; times are UTC. */
export const csvRow = (row: Transaction) => [
  row.id,
  isoTime(row.purchased_at),
  row.customer_id,
  row.app_id,
  row.store,
  row.store_transaction_id,
  row.product_identifier,
  row.kind,
  row.environment,
  row.price?.amount,
  row.price?.currency,
  row.revenue_in_usd.gross,
  row.revenue_in_usd.commission,
  row.revenue_in_usd.tax,
  row.revenue_in_usd.proceeds,
  row.country,
  isoTime(row.expires_at),
];

/** Saves all transactions that match the filter as a file. */
export function exportTransactions(projectId: string, filter: TransactionFilter): void {
  saveListAsCsv({
    name: 'transactions',
    header,
    row: csvRow,
    page: (page, signal) => transactionsPage(projectId, { ...filter, ...page }, signal),
  });
}
