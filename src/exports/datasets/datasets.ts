import { customerColumns, deletionColumns } from './columns/customers.js';
import { eventColumns } from './columns/events.js';
import { ledgerColumns } from './columns/ledger.js';
import { subscriptionColumns } from './columns/subscriptions.js';
import { transactionColumns } from './columns/transactions.js';
import type { Dataset, DatasetName } from './dataset.model.js';

/** All data sets, in the order of documents. Superseded versions are served for at least 12 months. */
export const datasets: readonly Dataset[] = [
  { name: 'transactions', version: 5, incremental: 'change', columns: transactionColumns },
  { name: 'customers', version: 1, incremental: 'change', columns: customerColumns },
  { name: 'subscriptions', version: 1, incremental: 'change', columns: subscriptionColumns },
  { name: 'events', version: 1, incremental: 'time', columns: eventColumns },
  { name: 'ledger', version: 1, incremental: 'time', columns: ledgerColumns },
  { name: 'deletions', version: 1, incremental: 'change', columns: deletionColumns },
];

/** Returns a version of a data set (null: the newest), or null if there is none. */
export function findDataset(name: DatasetName, version: number | null = null): Dataset | null {
  const versions = datasets.filter((dataset) => dataset.name === name);
  if (version !== null) return versions.find((dataset) => dataset.version === version) ?? null;
  return versions.toSorted((a, b) => b.version - a.version)[0] ?? null;
}
