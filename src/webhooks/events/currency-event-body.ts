import type { Environment, Store } from '../../../libs/engine/index.js';
import { attributesByName } from '../../customers/customers/customer-info/customer-attributes.js';
import type { VirtualCurrencyEventDto } from './customer-event.dto.js';
import { appUserIdOf, type EventCustomer, type EventHead } from './event-body.js';

export interface CurrencyChange {
  country: string | null;
  /** Id of the currency transaction. */
  transactionId: string;
  adjustments: { amount: number; currency: { code: string; name: string; description: string | null } }[];
}

export interface CurrencyEventContext extends CurrencyChange {
  appId: string | null;
  store: Store;
  environment: Environment;
  storeProductId: string;
  productDisplayName: string | null;
  storeTransactionId: string;
}

/** Adjustments made by people have no purchase. */
const noPurchase = {
  appId: null,
  store: null,
  environment: null,
  storeProductId: null,
  productDisplayName: null,
  storeTransactionId: null,
};

/** For a credit from a purchase, or an adjustment made by a person. */
export function currencyEventBody(
  head: EventHead,
  customer: EventCustomer,
  seenAs: string,
  change: CurrencyEventContext | CurrencyChange,
): VirtualCurrencyEventDto {
  const context = 'store' in change ? change : { ...noPurchase, ...change };
  return {
    id: head.id,
    type: 'VIRTUAL_CURRENCY_TRANSACTION',
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: context.appId ?? undefined,
    app_user_id: appUserIdOf(customer, seenAs),
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId),
    country_code: context.country,
    store: context.store?.toUpperCase() ?? null,
    subscriber_attributes: attributesByName(customer.attributes),
    product_id: context.storeProductId,
    product_display_name: context.productDisplayName,
    purchase_environment: context.environment?.toUpperCase() ?? null,
    transaction_id: context.storeTransactionId,
    virtual_currency_transaction_id: context.transactionId,
    source: context.store === null ? 'admin_api' : 'in_app_purchase',
    adjustments: context.adjustments,
  };
}
