import { isoSeconds } from '../../libs/kernel/index.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { sdkEtag } from '../http/sdk-answer.js';
import { customerPurchases } from '../purchases/customer-purchases.js';
import type { CustomerRow } from './customer-state.js';
import type { PreparedSnapshot } from './snapshots.repository.js';
import { presentSubscriber } from './subscriber.presenter.js';

/** Prepares the time-independent part of a customer's SDK answer for one version of the catalog. */
export function prepareSnapshot(customer: CustomerRow, catalog: Catalog, nowMs: number): PreparedSnapshot {
  const purchases = customerPurchases(customer, catalog, nowMs);
  const subscriber = JSON.stringify(presentSubscriber(customer, purchases, catalog));
  return {
    customerId: customer.id,
    customerVersion: customer.version,
    catalogVersion: catalog.version,
    subscriber,
    etag: sdkEtag(subscriber),
  };
}

/**
 * CustomerInfo as JSON text: the prepared part with the clock times put in. `more` are further top-level
 * fields as JSON text (`"purchased_products":{...}`).
 */
export function customerInfoText(
  subscriber: string,
  lastSeenAtMs: number,
  nowMs: number,
  more?: string,
): string {
  const withLastSeen = `{"last_seen":"${isoSeconds(lastSeenAtMs)}",${subscriber.slice(1)}`;
  const tail = more === undefined ? '' : `,${more}`;
  return `{"request_date":"${isoSeconds(nowMs)}","request_date_ms":${nowMs},"subscriber":${withLastSeen}${tail}}`;
}
