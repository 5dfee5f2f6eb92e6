import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { CustomerFilters, CustomerStatus } from './customer-filters.query.js';

/** Conditions on the rows of a list. */
export interface CustomerSelection {
  environment: 'production' | 'sandbox';
  /** Every row has all of these tags. */
  tags: string[];
  /** Every row has one tag of each of these groups. */
  anyOf: string[][];
  status: CustomerStatus | null;
  firstSeen: Span;
  lastSeen: Span;
  spentAtLeastMicros: number | null;
}

interface Span {
  from: Date | null;
  before: Date | null;
}

/** The tag that customers with a status have. It may be outdated for those whose times the list compares. */
const tagOfStatus: Partial<Record<CustomerStatus, string>> = {
  active: 'live',
  trial: 'trial',
  in_grace_period: 'grace',
  billing_issue: 'billing_issue',
  expired: 'subscribed',
  never_bought: 'never_bought',
};

/** Statuses of purchases that give access. */
const liveStatuses: readonly (CustomerStatus | null)[] = ['active', 'trial', 'in_grace_period'];

/** Turns filters into tags. @throws ApiError 404 naming an unknown product or entitlement */
export function selectionOf(filters: CustomerFilters, catalog: Catalog): CustomerSelection {
  const place = filters.environment === 'sandbox' ? 'sandbox:' : '';
  const tag = (text: string): string => `${catalog.projectId}|${text}`;
  const bought = (text: string): string => tag(`${place}${text}`);
  const live = liveStatuses.includes(filters.status) ? 'live_' : '';
  const tags: string[] = [];
  const anyOf: string[][] = [];
  const status = tagOfStatus[filters.status as CustomerStatus];
  if (status !== undefined) tags.push(bought(status));
  if (filters.store !== null) tags.push(bought(`store:${filters.store}`));
  if (filters.country !== null) tags.push(tag(`country:${filters.country}`));
  if (filters.platform !== null) tags.push(tag(`platform:${filters.platform.toLowerCase()}`));
  if (filters.app_version !== null) tags.push(tag(`version:${filters.app_version}`));
  const productTag = (id: string): string[] => {
    const product = catalog.products.get(id);
    return product ? [bought(`${live}product:${product.appId}/${product.storeIdentifier}`)] : [];
  };
  if (filters.product_id !== null) {
    const [found] = productTag(filters.product_id);
    if (found === undefined) throw ApiError.missing('product', filters.product_id, 'product_id');
    tags.push(found);
  }
  const { entitlement_id: entitlementId } = filters;
  if (entitlementId !== null) {
    if (!catalog.entitlements.has(entitlementId))
      throw ApiError.missing('entitlement', entitlementId, 'entitlement_id');
    const unlocking = [...catalog.products.keys()].filter((id) =>
      catalog.entitlementsOf(id).some((unlocked) => unlocked.id === entitlementId),
    );
    anyOf.push([bought(`${live}grant:${entitlementId}`), ...unlocking.flatMap(productTag)]);
  }
  return {
    environment: filters.environment,
    tags,
    anyOf,
    status: filters.status,
    firstSeen: { from: filters.first_seen_after, before: filters.first_seen_before },
    lastSeen: { from: filters.last_seen_after, before: filters.last_seen_before },
    spentAtLeastMicros: filters.spent_at_least,
  };
}
