import type { Environment, Store } from '../../libs/engine/index.js';
import { attributesByName } from '../customers/customer-attributes.js';
import { appUserIdOf, type EventCustomer, type EventHead } from './event-body.js';

/** A purchase that credited virtual currencies. */
export interface CurrencyEventContext {
  appId: string | null;
  store: Store;
  environment: Environment;
  country: string | null;
  storeProductId: string;
  productDisplayName: string | null;
  storeTransactionId: string;
  /** Id of the currency transaction. */
  transactionId: string;
  adjustments: { amount: number; currency: { code: string; name: string; description: string | null } }[];
}

/** The webhook `event` object of a credit that came with a purchase (spec part 3, Events). */
export function currencyEventBody(
  head: EventHead,
  customer: EventCustomer,
  seenAs: string,
  context: CurrencyEventContext,
): object {
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
    store: context.store.toUpperCase(),
    subscriber_attributes: attributesByName(customer.attributes),
    product_id: context.storeProductId,
    product_display_name: context.productDisplayName,
    purchase_environment: context.environment.toUpperCase(),
    transaction_id: context.storeTransactionId,
    virtual_currency_transaction_id: context.transactionId,
    source: 'in_app_purchase',
    adjustments: context.adjustments,
  };
}
