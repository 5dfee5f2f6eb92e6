import type { ImportCustomer } from '../customer-item.js';
import { csvRows, isProblem } from './csv-file.js';
import {
  addVersion,
  type ExportSubscription,
  exportSubscription,
  type NewestVersions,
} from './export-subscription.js';
import { exportCustomer } from './export-customer.js';
import { type ExportRow, exportRow, requiredColumns } from './export-row.js';
import { ExternalSort } from './external-sort.js';
import { FileError } from './file-error.js';
import type { FileSourceOptions } from './file-source.model.js';

/** A customer with more is a placeholder shared by many devices, and might not fit in memory. */
const MOST_PURCHASES = 10_000;

/**
 * Reads customers from the vendor's transaction export, ordered by id. The rows are sorted on disk twice: by purchase,
 * to merge the versions of a transaction and find the current owner, then by that owner.
 */
export async function* exportCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  const limits = { folder: options.temporaryFolder, charactersInMemory: options.charactersInMemory };
  const byPurchase = new ExternalSort(limits);
  const byCustomer = new ExternalSort(limits);
  try {
    await readRows(options, byPurchase);
    const versions = byPurchase.folded<NewestVersions>(
      () => new Map(),
      (newest, value) => addVersion(newest, JSON.parse(value) as ExportRow),
    );
    for await (const [key, newest] of versions) {
      const exported = exportSubscription(newest);
      if (!exported) {
        options.onSkipped({ kind: 'subscription', id: nameOf(key), reason: 'every order is void' });
      } else {
        await byCustomer.add(exported.customerId, JSON.stringify(exported));
      }
    }
    await byPurchase.close();
    yield* customersOf(byCustomer, options);
  } finally {
    await byPurchase.close();
    await byCustomer.close();
  }
}

/** @throws FileError before anything is imported if purchases belong to a store without an app */
async function readRows(options: FileSourceOptions, byPurchase: ExternalSort): Promise<void> {
  const withoutApp = new Set<string>();
  for (const file of options.files) {
    for await (const row of csvRows(file, { requires: requiredColumns })) {
      const parsed = isProblem(row) ? row.problem : exportRow(row);
      if (typeof parsed === 'string') {
        options.onSkipped({ kind: 'row', id: `${file}:${row.line}`, reason: parsed });
        continue;
      }
      const { store, originalId, isSandbox } = parsed;
      if (store !== 'promotional' && options.appIdOf(store) === null) withoutApp.add(store);
      // A grant's store id is not guaranteed to be unique.
      const owner = store === 'promotional' ? parsed.customerId : '';
      await byPurchase.add(JSON.stringify([store, originalId, isSandbox, owner]), JSON.stringify(parsed));
    }
  }
  if (withoutApp.size === 0) return;
  const flags = [...withoutApp].sort().map((store) => `--app ${store}=<app id>`);
  throw new FileError(
    `The files have purchases of ${[...withoutApp].sort().join(', ')}, but it is not clear which app they belong to. Add ${flags.join(' ')}.`,
  );
}

async function* customersOf(
  byCustomer: ExternalSort,
  options: FileSourceOptions,
): AsyncGenerator<ImportCustomer> {
  const customers = byCustomer.folded(
    () => ({ subscriptions: [] as ExportSubscription[], count: 0 }),
    (state, value) => {
      if (++state.count <= MOST_PURCHASES) state.subscriptions.push(JSON.parse(value) as ExportSubscription);
    },
  );
  for await (const [id, { subscriptions, count }] of customers) {
    if (count > MOST_PURCHASES) {
      options.onSkipped({ kind: 'customer', id, reason: `has ${count} purchases: not a single person` });
      continue;
    }
    const { customer, leftOut } = exportCustomer(id, subscriptions, options.appIdOf, options.nowMs);
    for (const reason of leftOut) options.onSkipped({ kind: 'subscription', id, reason });
    yield customer;
  }
}

function nameOf(key: string): string {
  return (JSON.parse(key) as string[]).slice(0, 2).join(' ');
}
