import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import { keysOfPurchases } from '../../../customers/customers/customer-info/customer-purchases.js';
import type { ImportedCustomerDto } from '../customer-import.dto.js';
import type { ImportedPurchaseDto } from '../imported-purchase.dto.js';
import type { ImportedSubscriptionDto } from '../imported-subscription.dto.js';
import type { ImportNotes } from '../import-notes.js';
import type { Resolutions } from '../import-resolver.js';
import { isRawIdentifier } from '../import-shape.policy.js';
import { keyOf } from './imported-periods.policy.js';
import { namesOf } from './imported-subscription.policy.js';
import { purchaseKeyOf } from './imported-purchase.policy.js';
import type { NamedPurchase } from '../identities/known-purchases.repository.js';

/** Returns the item with the keys that its store confirmed. */
export function resolvedSubscription(
  item: ImportedSubscriptionDto,
  resolutions: Resolutions,
): ImportedSubscriptionDto {
  const found = resolutions.get(item);
  if (!found) return item;
  const { originalTransactionId, purchaseToken, environment } = found;
  return Object.assign(
    Object.create(Object.getPrototypeOf(item) as object) as ImportedSubscriptionDto,
    item,
    {
      ...(originalTransactionId !== undefined && { original_transaction_id: originalTransactionId }),
      ...(purchaseToken !== undefined && { purchase_token: purchaseToken }),
      ...(environment !== undefined && { environment }),
    },
  );
}

export function resolvedPurchase(item: ImportedPurchaseDto, resolutions: Resolutions): ImportedPurchaseDto {
  const token = resolutions.get(item)?.purchaseToken;
  return token === undefined ? item : { ...item, purchase_token: token };
}

/** The keys under which a customer's purchases may already be stored. */
export function namedPurchases(customer: ImportedCustomerDto, resolutions: Resolutions): NamedPurchase[] {
  const subscriptions = (customer.subscriptions ?? [])
    .filter(({ store }) => store !== 'promotional')
    .flatMap((one): NamedPurchase[] => {
      const item = resolvedSubscription(one, resolutions);
      const { store, environment = 'production' } = item;
      const own = { store, environment, key: keyOf(item).storeKey, ids: namesOf(item) };
      const reported = resolutions.get(one)?.verified;
      const more = keysOfPurchases(reported?.purchases ?? []).map((key) => ({
        store,
        environment: reported?.environment ?? environment,
        key,
        ids: [],
      }));
      return [own, ...more];
    });
  const oneTime = (customer.purchases ?? []).map((one): NamedPurchase => {
    const item = resolvedPurchase(one, resolutions);
    const { store, environment = 'production', store_purchase_identifier: id } = item;
    return { store, environment, key: purchaseKeyOf(item), ids: [id] };
  });
  return [...subscriptions, ...oneTime];
}

/** Whether an item can be recorded. If not, adds a note with the reason. */
export function isRecordable(
  item: ImportedSubscriptionDto | ImportedPurchaseDto,
  path: string,
  catalog: Catalog,
  notes: ImportNotes,
): boolean {
  const app = catalog.apps.get(item.app_id ?? '');
  if (item.store !== 'promotional' && app?.type !== item.store) {
    notes.add(path, `left out: the app is of the store ${app?.type ?? 'none'}`);
    return false;
  }
  if ('store_purchase_identifier' in item) return true;
  if (item.status === 'unknown' || item.status === 'incomplete') {
    notes.add(path, `left out: its status is ${item.status}`);
    return false;
  }
  return true;
}

export { isRawIdentifier };
