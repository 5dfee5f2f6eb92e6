import type { Store } from '../../engine/index.js';
import type { ImportCustomer } from '../customer-item.js';
import { newestAttributes } from './attributes.js';
import { importItems, type ExportSubscription } from './export-subscription.js';

export interface ExportCustomer {
  customer: ImportCustomer;
  leftOut: string[];
}

/** Combines all purchases of a customer. */
export function exportCustomer(
  id: string,
  subscriptions: ExportSubscription[],
  appIdOf: (store: Store) => string | null,
  nowMs: number,
): ExportCustomer {
  const rows = subscriptions.flatMap((exported) => exported.rows);
  const items = subscriptions.map((exported) => importItems(exported, appIdOf, nowMs));
  const firstSeen = rows.flatMap(({ firstSeenMs }) => firstSeenMs ?? []);
  const own = rows.filter((row) => row.customerId === id);
  // The customer of an older row owned the purchase before. Only rows with this customer's id contain this customer's
  // aliases.
  const aliases = [...new Set(own.flatMap(({ aliasId }) => aliasId ?? []))].filter((alias) => alias !== id);
  const oldestFirst = own.toSorted((a, b) => (a.updatedAtMs ?? 0) - (b.updatedAtMs ?? 0));
  const fitting: Fitting = { leftOut: items.flatMap(({ leftOut }) => leftOut) };
  return {
    customer: {
      id,
      aliases: fitted(fitting, 'aliases', aliases, 5000),
      first_seen_at: firstSeen.length > 0 ? firstSeen.reduce((a, b) => Math.min(a, b)) : undefined,
      attributes: fitted(
        fitting,
        'attributes',
        newestAttributes(oldestFirst.flatMap(({ attributes }) => attributes)),
        500,
      ),
      subscriptions: fitted(
        fitting,
        'subscriptions',
        items
          .flatMap(({ subscriptions }) => subscriptions)
          .sort(byTime((item) => item.current_period_starts_at)),
        1000,
      ),
      purchases: fitted(
        fitting,
        'purchases',
        items.flatMap(({ purchases }) => purchases).sort(byTime((item) => item.purchased_at)),
        1000,
      ),
    },
    leftOut: fitting.leftOut,
  };
}

interface Fitting {
  leftOut: string[];
}

function byTime<T>(timeOf: (item: T) => number | undefined): (a: T, b: T) => number {
  return (a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0);
}

/** Returns the last entries, up to the limit of an item. */
function fitted<T>(fitting: Fitting, what: string, items: T[], most: number): T[] {
  if (items.length <= most) return items;
  fitting.leftOut.push(`only the newest ${most} of ${items.length} ${what} are imported`);
  return items.slice(-most);
}
