import { isoSeconds } from '../../../../libs/kernel/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { sdkEtag } from '../../../platform/http/pipeline/sdk-answer.js';
import { type CustomerPurchases, customerPurchases } from './customer-purchases.js';
import { attributesByName } from './customer-attributes.js';
import { type AttributeRow, type CustomerRow, timeOf } from '../identity/customer-state.js';
import { customerManagement, type StoreUrls } from './management-url.js';
import type { PreparedSnapshot } from './snapshots.repository.js';
import { presentSubscriber } from './subscriber.presenter.js';

/** Expired one-time purchases drop out of the answer without an event or any other change of the customer. */
function firstEnd({ oneTime }: CustomerPurchases, nowMs: number): number | null {
  const ends = oneTime
    .flatMap(({ state: { expiresAtMs } }) => expiresAtMs ?? [])
    .filter((end) => end > nowMs);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Prepares the time-independent part of a customer's SDK answer for one version of the catalog. */
export function prepareSnapshot(customer: CustomerRow, catalog: Catalog, nowMs: number): PreparedSnapshot {
  const purchases = customerPurchases(customer, catalog, nowMs);
  const { url, storeUrls } = customerManagement(purchases.subscriptions, catalog);
  const subscriber = JSON.stringify(presentSubscriber(customer, purchases, catalog, url));
  return {
    customerId: customer.id,
    customerVersion: customer.version,
    catalogVersion: catalog.version,
    validUntilMs: firstEnd(purchases, nowMs),
    subscriber,
    storeUrls,
    etag: storeUrls === null ? sdkEtag(subscriber) : sdkEtag(subscriber, JSON.stringify(storeUrls)),
  };
}

export interface CustomerInfoParts {
  /** JSON text of `subscriber` without `last_seen`. */
  subscriber: string;
  /** The URLs that `withStoreUrl` inserts for readers of a store. */
  storeUrls: StoreUrls | null;
  lastSeenAtMs: number;
  /** The test clock's time of the answer; null: the time of the request. */
  testClockMs: number | null;
  /** Only for backends; null omits them. */
  attributes: readonly AttributeRow[] | null;
}

/** The answer to a backend about a customer that it has just changed. */
export function backendInfo(customer: CustomerRow, catalog: Catalog, nowMs: number): CustomerInfoParts {
  const { subscriber, storeUrls } = prepareSnapshot(customer, catalog, timeOf(customer, nowMs));
  const { lastSeenAtMs, firstSeenAtMs, testClockMs, attributes } = customer;
  return { subscriber, storeUrls, lastSeenAtMs: lastSeenAtMs ?? firstSeenAtMs, testClockMs, attributes };
}

/**
 * CustomerInfo as JSON text: the prepared part with the times filled in. `more` contains further top-level fields as
 * JSON text (`"purchased_products":{...}`). A test clock's time overrides `realMs`.
 */
export function customerInfoText(
  { subscriber, lastSeenAtMs, testClockMs, attributes }: CustomerInfoParts,
  realMs: number,
  more?: string,
): string {
  const nowMs = testClockMs ?? realMs;
  // Some clients look for the attributes inside `subscriber`, some next to it.
  const names = attributes && `"subscriber_attributes":${JSON.stringify(attributesByName(attributes))}`;
  const inside = names === null ? '' : `${names},`;
  const withTimes = `{"last_seen":"${isoSeconds(lastSeenAtMs)}",${inside}${subscriber.slice(1)}`;
  const tail = [names, more].map((text) => (text ? `,${text}` : '')).join('');
  return `{"request_date":"${isoSeconds(nowMs)}","request_date_ms":${nowMs},"subscriber":${withTimes}${tail}}`;
}
