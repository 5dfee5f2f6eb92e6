import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import type { ImportCustomersDto, ImportedCustomerDto } from './customer-import.dto.js';
import type { ImportedSubscriptionDto } from './imported-subscription.dto.js';

const MAX_BALANCE = 2_000_000_000;
/** Tolerated difference between servers' clocks. */
const MAX_LEAD_MS = 5 * 60_000;

function refuse(param: string, problem: string): never {
  throw ApiError.parameter(param, `${param} ${problem}.`);
}

/** The item only names a purchase; its store knows the rest. */
export function isRawIdentifier(item: ImportedSubscriptionDto): boolean {
  const { starts_at, current_period_starts_at, current_period_ends_at, status, product_identifier } = item;
  const said = [starts_at, current_period_starts_at, current_period_ends_at, status, product_identifier];
  return item.store !== 'promotional' && said.every((value) => value === undefined);
}

function assertApp(catalog: Catalog, appId: string | undefined, path: string): void {
  if (appId === undefined) refuse(`${path}.app_id`, 'is required');
  if (!catalog.apps.has(appId)) refuse(`${path}.app_id`, 'is no app of this project');
}

function assertDates(item: ImportedSubscriptionDto, path: string): void {
  const { starts_at, current_period_starts_at: from, current_period_ends_at: to } = item;
  if (item.status === undefined) refuse(`${path}.status`, 'is required');
  if (starts_at === undefined) refuse(`${path}.starts_at`, 'is required');
  if (from === undefined) refuse(`${path}.current_period_starts_at`, 'is required');
  if (to === undefined) refuse(`${path}.current_period_ends_at`, 'is required');
  if (starts_at > from) refuse(`${path}.current_period_starts_at`, 'must not be before starts_at');
  if (to !== null && from > to) {
    refuse(`${path}.current_period_ends_at`, 'must not be before current_period_starts_at');
  }
}

function assertSubscription(item: ImportedSubscriptionDto, catalog: Catalog, path: string): void {
  if (item.store === 'promotional') {
    assertDates(item, path);
    const keys = item.entitlement_lookup_keys ?? [];
    if (keys.length === 0) refuse(`${path}.entitlement_lookup_keys`, 'is required');
    return;
  }
  assertApp(catalog, item.app_id, path);
  const names = [item.store_subscription_identifier, item.original_transaction_id, item.purchase_token];
  if (names.every((name) => name === undefined)) {
    refuse(`${path}.store_subscription_identifier`, 'is required');
  }
  if (item.original_customer_id !== undefined) {
    assertAppUserId(item.original_customer_id, `${path}.original_customer_id`);
  }
  if (isRawIdentifier(item)) return;
  if (item.product_identifier === undefined) refuse(`${path}.product_identifier`, 'is required');
  assertDates(item, path);
}

function assertCustomer(customer: ImportedCustomerDto, catalog: Catalog, path: string): void {
  assertAppUserId(customer.id, `${path}.id`);
  customer.aliases?.forEach((alias, index) => assertAppUserId(alias, `${path}.aliases.${index}`));
  for (const [code, balance] of Object.entries(customer.virtual_currencies ?? {})) {
    const isBalance = Number.isInteger(balance) && Number(balance) >= 0 && Number(balance) <= MAX_BALANCE;
    if (!isBalance)
      refuse(`${path}.virtual_currencies.${code}`, `must be a whole number up to ${MAX_BALANCE}`);
  }
  customer.subscriptions?.forEach((item, index) =>
    assertSubscription(item, catalog, `${path}.subscriptions.${index}`),
  );
  customer.purchases?.forEach((item, index) => assertApp(catalog, item.app_id, `${path}.purchases.${index}`));
}

/** Checks rules that span several fields. @throws ApiError 400 naming the field */
export function assertImportable(body: ImportCustomersDto, catalog: Catalog, nowMs: number): void {
  if (body.as_of !== undefined && body.as_of > nowMs + MAX_LEAD_MS)
    refuse('as_of', 'must not be in the future');
  body.customers.forEach((customer, index) => assertCustomer(customer, catalog, `customers.${index}`));
}
