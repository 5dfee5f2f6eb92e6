import { csvLine } from '../../platform/http/lists/csv.js';
import { presentFilteredCustomer } from './customer-list.presenter.js';
import type { ListedItem } from './customer-list.service.js';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** First line of a list as CSV. */
export const customerHeader = csvLine([
  'app_user_id',
  'email',
  'name',
  'statuses',
  'stores',
  'spent_in_usd',
  'country',
  'platform',
  'app_version',
  'first_seen_at',
  'last_seen_at',
]);

/** Customers of a list as lines of CSV. */
export function customerLines(projectId: string, items: readonly ListedItem[]): string {
  return items.map((item) => lineOf(projectId, item)).join('');
}

function lineOf(projectId: string, item: ListedItem): string {
  const customer = presentFilteredCustomer(projectId, item);
  return csvLine([
    customer.id,
    customer.email,
    customer.display_name,
    customer.statuses.join(' '),
    customer.stores.join(' '),
    customer.spent_in_usd,
    customer.country,
    customer.last_seen_platform,
    customer.last_seen_app_version,
    iso(customer.first_seen_at),
    iso(customer.last_seen_at),
  ]);
}
