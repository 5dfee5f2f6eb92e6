import {
  type EngineEvent,
  type Environment,
  type EventItem,
  isPaidByOther,
  type Price,
  type Store,
} from '../../../libs/engine/index.js';
import { microsToMajor } from '../../../libs/money/index.js';
import { attributesByName } from '../../customers/customers/customer-info/customer-attributes.js';
import type {
  AliasRow,
  AttributeRow,
  EnrollmentRow,
} from '../../customers/customers/identity/customer-state.js';
import type { ToUsd } from '../../platform/exchange-rates/exchange-rates.service.js';
import type { SubscriberAliasEventDto, TransferEventDto } from './customer-event.dto.js';
import type {
  ConsentEventDto,
  ConsentEventType,
  EventExperimentDto,
  EventItemDto,
  PurchaseEventDto,
} from './purchase-event.dto.js';

/** The customer of an event, at the time when it was recorded. */
export interface EventCustomer {
  originalAppUserId: string;
  aliases: AliasRow[];
  attributes: AttributeRow[];
  enrollments: EnrollmentRow[];
}

/** Common fields of all event bodies. `sequence` increases by one with each event of a customer. */
export interface EventHead {
  id: string;
  createdAtMs: number;
  sequence: number;
}

/** The id by which consumers should know the customer: an identified one if there is one. */
export function appUserIdOf(customer: EventCustomer, seenAs: string): string {
  const seen = customer.aliases.find(({ appUserId }) => appUserId === seenAs);
  if (seen && !seen.isAnonymous) return seenAs;
  const identified = customer.aliases.filter(({ isAnonymous }) => !isAnonymous);
  const newest = identified.sort((a, b) => b.createdAtMs - a.createdAtMs)[0];
  return newest?.appUserId ?? seenAs;
}

export interface EventPlace {
  appId: string | null;
  store: Store;
  environment: Environment;
}

export interface PurchaseContext extends EventPlace {
  /** Lookup keys of the entitlements that the product and its add-ons unlock. */
  entitlementLookupKeys: string[];
  /** The store's commission on the sale. */
  commissionBps: number;
}

/** All experiments that the customer has ever been in; undefined if there are none. */
function experimentsOf({ enrollments }: EventCustomer): EventExperimentDto[] | undefined {
  if (enrollments.length === 0) return undefined;
  return enrollments.map(({ experimentId, variant, enrolledAtMs }) => ({
    experiment_id: experimentId,
    experiment_variant: variant,
    enrolled_at_ms: enrolledAtMs,
  }));
}

/** Gross price in USD and in the currency of the purchase; null if the store reported none. */
function priceFields(
  { amountMicros, currency }: Price,
  purchasedAtMs: number,
  toUsd: ToUsd,
): { price: number | null; inCurrency: number | null } {
  if (amountMicros === 0) return { price: 0, inCurrency: 0 };
  if (amountMicros === null || currency === null) return { price: null, inCurrency: null };
  const usd = toUsd({
    amountMicros,
    currency,
    day: new Date(purchasedAtMs).toISOString().slice(0, 10),
  });
  return { price: usd ? microsToMajor(usd.usdMicros) : null, inCurrency: microsToMajor(amountMicros) };
}

export const storesWithPrices: ReadonlySet<Store> = new Set<Store>(['paddle', 'stripe']);

/** The product's name in the catalog. Paddle's and Stripe's plans are prices of one product. */
export function productIdOf(
  { storeProductId, planId }: Pick<EngineEvent | EventItem, 'storeProductId' | 'planId'>,
  store: Store,
): string {
  return planId === null || storesWithPrices.has(store) ? storeProductId : `${storeProductId}:${planId}`;
}

/** One of the products of a subscription with add-ons. Its price is a share of the event's price. */
function itemBody(item: EventItem, purchasedAtMs: number, store: Store, toUsd: ToUsd): EventItemDto {
  const { price, inCurrency } = priceFields(item.price, purchasedAtMs, toUsd);
  return {
    type: item.type,
    product_id: productIdOf(item, store),
    expiration_at_ms: item.expirationAtMs,
    currency: item.price.currency,
    price,
    price_in_purchased_currency: inCurrency,
  };
}

/** The two consent events contain only the purchase, without its periods or prices. */
function consentEventBody(
  head: EventHead,
  type: ConsentEventType,
  event: EngineEvent,
  customer: EventCustomer,
  seenAs: string,
  { appId, store, environment }: EventPlace,
): ConsentEventDto {
  return {
    id: head.id,
    type,
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: appId ?? undefined,
    app_user_id: appUserIdOf(customer, seenAs),
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId),
    product_id: productIdOf(event, store),
    transaction_id: event.transactionId,
    original_transaction_id: event.originalTransactionId,
    store: store.toUpperCase(),
    environment: environment.toUpperCase(),
    currency: event.price.currency,
    country_code: event.country,
    subscriber_attributes: attributesByName(customer.attributes),
  };
}

/** The webhook `event` object of a purchase event. Never changes once it is recorded. */
export function purchaseEventBody(
  head: EventHead,
  event: EngineEvent,
  customer: EventCustomer,
  seenAs: string,
  context: PurchaseContext,
  toUsd: ToUsd,
): PurchaseEventDto | ConsentEventDto {
  const { type } = event;
  const isConsent = type === 'PRICE_INCREASE_CONSENT_REQUIRED' || type === 'PRICE_INCREASE_CONSENT_APPROVED';
  if (isConsent) return consentEventBody(head, type, event, customer, seenAs, context);
  const { price, inCurrency } = priceFields(event.price, event.purchasedAtMs, toUsd);
  const commission = context.commissionBps / 10_000;
  return {
    id: head.id,
    type,
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: context.appId ?? undefined,
    app_user_id: appUserIdOf(customer, seenAs),
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId),
    product_id: productIdOf(event, context.store),
    entitlement_id: null,
    entitlement_ids: context.entitlementLookupKeys.length > 0 ? context.entitlementLookupKeys : null,
    period_type: event.periodType.toUpperCase(),
    purchased_at_ms: event.purchasedAtMs,
    expiration_at_ms: event.expirationAtMs,
    environment: context.environment.toUpperCase(),
    presented_offering_id: event.presentedOfferingId,
    transaction_id: event.transactionId,
    original_transaction_id: event.originalTransactionId,
    is_family_share: isPaidByOther(event.ownership),
    ownership: event.ownership === 'assigned' ? 'ASSIGNED' : undefined,
    country_code: event.country,
    currency: event.price.currency,
    price,
    price_in_purchased_currency: inCurrency,
    subscriber_attributes: attributesByName(customer.attributes),
    store: context.store.toUpperCase(),
    takehome_percentage: (10_000 - context.commissionBps) / 10_000,
    tax_percentage: 0,
    commission_percentage: commission,
    offer_code: event.offerCode,
    renewal_number: event.renewalNumber,
    metadata: null,
    experiments: experimentsOf(customer),
    is_trial_conversion: event.isTrialConversion,
    cancel_reason: event.cancelReason,
    expiration_reason: event.expirationReason,
    grace_period_expiration_at_ms: event.gracePeriodExpirationAtMs,
    auto_resume_at_ms: event.autoResumeAtMs,
    new_product_id: event.newProductId,
    seats: event.seats,
    items: event.items?.map((item) => itemBody(item, event.purchasedAtMs, context.store, toUsd)),
  };
}

/** A purchase moved to another customer. Contains the new owner's attributes. */
export function transferEventBody(
  head: EventHead,
  from: EventCustomer,
  to: EventCustomer,
  context: EventPlace,
): TransferEventDto {
  return {
    id: head.id,
    type: 'TRANSFER',
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: context.appId ?? undefined,
    store: context.store.toUpperCase(),
    environment: context.environment.toUpperCase(),
    transferred_from: from.aliases.map(({ appUserId }) => appUserId),
    transferred_to: to.aliases.map(({ appUserId }) => appUserId),
    subscriber_attributes: attributesByName(to.attributes),
  };
}

export function aliasEventBody(
  head: EventHead,
  customer: EventCustomer,
  newAppUserId: string,
  appId: string | null,
): SubscriberAliasEventDto {
  return {
    id: head.id,
    type: 'SUBSCRIBER_ALIAS',
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: appId ?? undefined,
    app_user_id: newAppUserId,
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId),
    subscriber_attributes: attributesByName(customer.attributes),
  };
}
