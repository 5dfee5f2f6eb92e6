import { cursorOfNextPage } from '../api/paging.js';
import { jobs } from '../frame/jobs.js';
import { downloadCsv } from '../ui/download.js';
import { type Transaction, type TransactionFilter, transactionsPage } from './transactions.queries.js';
import { text } from './transactions.text.js';

const MOST_ROWS = 100_000;

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

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** One transaction as a row of the file; times in UTC. */
export const csvRow = (row: Transaction) => [
  row.id,
  iso(row.purchased_at),
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
  iso(row.expires_at),
];

/** Saves what the filter finds as a file; Cancel keeps nothing. */
export function exportTransactions(projectId: string, filter: TransactionFilter): void {
  jobs.start({ name: text.csvJob, by: 'browser' }, async (job) => {
    const rows: Transaction[] = [];
    let next: string | undefined;
    do {
      const query = { ...filter, limit: 100, starting_after: next };
      const page = await transactionsPage(projectId, query, job.signal);
      rows.push(...page.items);
      job.report({ done: rows.length });
      next = cursorOfNextPage(page);
    } while (next !== undefined && rows.length < MOST_ROWS);
    downloadCsv('transactions.csv', header, rows.map(csvRow));
  });
}
