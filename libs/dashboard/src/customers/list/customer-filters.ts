import type { Query } from '../../api/types.js';
import { storeName } from '../../api/words.js';
import { oneOf, search, text } from '../../frame/search.js';

/** Filters and order as parameters of the API. */
export type ApiFilters = Omit<Query<'listFilteredCustomers'>, 'limit' | 'starting_after'>;

export const statusLabels = {
  active: 'Active',
  trial: 'In a trial',
  in_grace_period: 'In a grace period',
  billing_issue: 'Billing issue',
  expired: 'Expired',
  refunded: 'Refunded',
  never_bought: 'Never bought',
} as const;
export type CustomerStatus = keyof typeof statusLabels;

export const sortLabels = { last_seen: 'Last seen', first_seen: 'First seen', spent: 'Spent' } as const;

const stores = [
  'app_store',
  'mac_app_store',
  'play_store',
  'amazon',
  'roku',
  'stripe',
  'paddle',
  'rc_billing',
  'test_store',
  'promotional',
] as const;

/** Kind of a filter's value. Lists come from the catalog of the project. */
type FilterKind = 'choice' | 'product' | 'entitlement' | 'text' | 'day' | 'amount' | 'attribute';

export interface FilterDefinition {
  label: string;
  kind: FilterKind;
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
}

export const filterDefinitions = {
  status: {
    label: 'Status',
    kind: 'choice',
    options: Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
  },
  product_id: { label: 'Product', kind: 'product' },
  entitlement_id: { label: 'Entitlement', kind: 'entitlement' },
  store: {
    label: 'Store',
    kind: 'choice',
    options: stores.map((value) => ({ value, label: storeName(value) })),
  },
  country: { label: 'Country', kind: 'text', placeholder: 'DE' },
  platform: { label: 'Platform', kind: 'text', placeholder: 'iOS' },
  app_version: { label: 'App version', kind: 'text', placeholder: '1.2.3' },
  first_seen_after: { label: 'First seen since', kind: 'day' },
  first_seen_before: { label: 'First seen before', kind: 'day' },
  last_seen_after: { label: 'Last seen since', kind: 'day' },
  last_seen_before: { label: 'Last seen before', kind: 'day' },
  spent_at_least: { label: 'Spent at least (USD)', kind: 'amount', placeholder: '49.99' },
  attribute: { label: 'Attribute', kind: 'attribute', placeholder: 'name=value' },
} satisfies Record<string, FilterDefinition>;
export type FilterName = keyof typeof filterDefinitions;

export const filterNames = Object.keys(filterDefinitions) as FilterName[];

/** Filters as in the address: days are `YYYY-MM-DD`, an attribute is `name=value`. */
export type Filters = Partial<Record<FilterName, string>>;

const parse = search({
  q: text(),
  sort: oneOf('last_seen', 'first_seen', 'spent'),
  order: oneOf('asc', 'desc'),
});

export interface CustomersSearch extends Filters {
  q?: string;
  sort?: keyof typeof sortLabels;
  order?: 'asc' | 'desc';
}

/** Reads the search parameters of the page; ignores values that no filter can have. */
export function readCustomersSearch(given: Record<string, unknown>): CustomersSearch & { filters: Filters } {
  const filters: Filters = {};
  for (const name of filterNames) {
    const value = text()(given[name]);
    if (value !== undefined && problemOf(name, value) === null) filters[name] = value;
  }
  return { ...parse(given), filters };
}

/** Why a filter cannot have a value; null if it can. */
export function problemOf(name: FilterName, value: string): string | null {
  const { kind, ...definition }: FilterDefinition = filterDefinitions[name];
  if (definition.options && !definition.options.some((option) => option.value === value))
    return 'Choose a value of the list.';
  if (kind === 'day' && Number.isNaN(Date.parse(`${value}T00:00:00Z`))) return 'Choose a day.';
  if (kind === 'amount' && !/^\d{1,9}(\.\d{1,2})?$/.test(value)) return 'Enter an amount such as 49.99.';
  if (kind === 'attribute' && !/^[^=]{1,40}=./s.test(value)) return 'Enter a name and a value: plan=team.';
  if (name === 'country' && !/^[A-Za-z]{2}$/.test(value)) return 'Enter a code of two letters, such as DE.';
  return null;
}

/** The filters as parameters of the API. */
export function apiFilters(filters: Filters, q: string | undefined): ApiFilters {
  const query: Record<string, unknown> = { search: q };
  for (const name of filterNames) {
    const value = filters[name];
    if (value === undefined) continue;
    const { kind } = filterDefinitions[name];
    if (kind === 'day') query[name] = Date.parse(`${value}T00:00:00Z`);
    else if (kind === 'attribute') {
      query.attribute_name = value.slice(0, value.indexOf('='));
      query.attribute_value = value.slice(value.indexOf('=') + 1);
    } else query[name] = kind === 'amount' ? Number(value) : value;
  }
  return query;
}

/** The filters of a saved list as in the address. The environment is that of the page. */
export function savedFilters(saved: Readonly<Record<string, string>>): CustomersSearch {
  const found: CustomersSearch = { q: saved.search };
  for (const name of filterNames) {
    const value = saved[name];
    if (value === undefined) continue;
    found[name] =
      filterDefinitions[name].kind === 'day' ? new Date(Number(value)).toISOString().slice(0, 10) : value;
  }
  if (saved.attribute_name !== undefined)
    found.attribute = `${saved.attribute_name}=${saved.attribute_value ?? ''}`;
  return found;
}
