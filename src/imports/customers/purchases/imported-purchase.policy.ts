import type { Environment, ImportedOneTimeFacts, Register, Store } from '../../../../libs/engine/index.js';
import { rokuTransactionKey } from '../../../../libs/stores/index.js';
import type { ImportedPurchaseDto } from '../imported-purchase.dto.js';
import { countryOf, priceOf, productOf } from './imported-periods.policy.js';

export interface ReadPurchase {
  store: Store;
  environment: Environment;
  purchaseKey: string;
  imported: ImportedOneTimeFacts;
  /** All ids under which the store may know it. */
  names: string[];
}

/** Google Play purchases are keyed by token, all others by transaction id. */
export function purchaseKeyOf({
  store,
  purchase_token,
  store_purchase_identifier: id,
}: ImportedPurchaseDto): string {
  if (store === 'play_store') return purchase_token ?? id;
  return store === 'roku' ? rokuTransactionKey(id) : id;
}

export function readPurchase(item: ImportedPurchaseDto, asOfMs: number): ReadPurchase {
  const { quantity = 1, ownership = 'purchased', store_purchase_identifier: id } = item;
  const register = <T>(value: T): Register<T> => ({ at: asOfMs, src: 'import', value });
  const refundedAtMs = item.refunded_at ?? (item.status === 'refunded' ? item.purchased_at : null);
  const offering = item.presented_offering_id ?? undefined;
  const { storeProductId, planId } = productOf(item.store, item.product_identifier);
  return {
    store: item.store,
    environment: item.environment ?? 'production',
    purchaseKey: purchaseKeyOf(item),
    imported: {
      purchase: register({
        storeProductId,
        planId,
        purchasedAtMs: item.purchased_at,
        expiresAtMs: null,
        price: priceOf(item.price),
        quantity,
        ownership,
        storeTransactionId: id,
        country: countryOf(item.country),
      }),
      // The item may be owned again after a reversed refund, so null must be recorded, too.
      refund: register({ refundedAtMs, quantity }),
      ...(offering !== undefined && { hints: register({ presentedOfferingId: offering }) }),
    },
    names: [id],
  };
}
