import {
  type ChargedItem,
  type ChargedSubscription,
  effectivePurchase,
  isPaidByOther,
  type OneTimeState,
  type Store,
} from '../../../libs/engine/index.js';
import {
  oneTimeEntitlements,
  unlockedBy,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { productIdOf, storesWithPrices } from '../../webhooks/events/event-body.js';
import { chargeMoney, type ItemMoney, moneyOfItems } from './item-money.js';
import type { TransactionRow } from './report-rows.model.js';
import type {
  ReportSource,
  SourceLedgerRow,
  SourceOneTime,
  SourceSubscription,
} from './report-source.model.js';

/** Micros and basis points as decimals with six digits. */
function decimalOf(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

const decimalOrNull = (micros: number | null): string | null => (micros === null ? null : decimalOf(micros));
const shareOf = (bps: number): string => decimalOf(bps * 100);

export const timeOrNull = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

/** Sorted; null if there are none. */
export function lookupKeysOf(entitlements: readonly { lookupKey: string }[]): string[] | null {
  const keys = [...new Set(entitlements.map(({ lookupKey }) => lookupKey))].sort();
  return keys.length === 0 ? null : keys;
}

/** The stores name these subscriptions, not their first payment, as the original transaction. */
export function originalIdOf(store: Store, storeKey: string, firstTransactionId: string): string {
  return storesWithPrices.has(store) ? storeKey : firstTransactionId;
}

export function isSandbox({ customer }: ReportSource, { environment }: { environment: string }): boolean {
  return environment === 'sandbox' || customer.isOnTestClock;
}

type Place = Pick<
  TransactionRow,
  'country' | 'countrySource' | 'takehomePercentage' | 'taxPercentage' | 'commissionPercentage'
>;

function placeOf({ customer }: ReportSource, opening: SourceLedgerRow | null): Place {
  const country = opening?.country?.toUpperCase() ?? customer.lastSeenCountry;
  const commissionBps = opening?.commissionBps ?? 0;
  return {
    country,
    countrySource: country === null ? null : opening?.country ? 'from_sdk' : 'estimated',
    takehomePercentage: shareOf(10_000 - commissionBps),
    taxPercentage: shareOf(opening?.taxBps ?? 0),
    commissionPercentage: shareOf(commissionBps),
  };
}

type Prices = Pick<
  TransactionRow,
  | 'priceInUsd'
  | 'purchasePriceInUsd'
  | 'purchasedCurrency'
  | 'priceInPurchasedCurrency'
  | 'purchasePriceInPurchasedCurrency'
>;

function pricesOf({ currency, ...money }: ItemMoney, isFree: boolean): Prices {
  const free = isFree ? 0 : null;
  return {
    priceInUsd: decimalOrNull(money.usdMicros ?? free),
    purchasePriceInUsd: decimalOrNull(money.purchaseUsdMicros ?? free),
    purchasedCurrency: currency,
    priceInPurchasedCurrency: decimalOrNull(money.priceMicros),
    purchasePriceInPurchasedCurrency: decimalOrNull(money.purchasePriceMicros),
  };
}

type State = Pick<
  TransactionRow,
  'gracePeriodEndTime' | 'unsubscribeDetectedAt' | 'billingIssuesDetectedAt' | 'autoResumeTime'
>;

const noState: State = {
  gracePeriodEndTime: null,
  unsubscribeDetectedAt: null,
  billingIssuesDetectedAt: null,
  autoResumeTime: null,
};

/** The state of the time after the latest period. */
function stateOf(
  { store }: SourceSubscription,
  { state, latestGraceEndsAtMs, isRenewalOff }: ChargedSubscription,
  isAutoRenewable: boolean,
): State {
  const isPaused = store === 'play_store' && state.status === 'paused';
  return {
    gracePeriodEndTime: timeOrNull(latestGraceEndsAtMs),
    unsubscribeDetectedAt: isAutoRenewable && isRenewalOff ? timeOrNull(state.unsubscribeAtMs) : null,
    billingIssuesDetectedAt: timeOrNull(state.billingIssueAtMs),
    autoResumeTime: isPaused ? timeOrNull(state.autoResumeAtMs) : null,
  };
}

/** Trials without a named offer are introductory offers. */
function offerFields({ kind, offer }: ChargedItem): Pick<TransactionRow, 'offer' | 'offerType'> {
  const trial = kind === 'trial' ? 'introductory_offer' : null;
  return { offer: offer?.id ?? null, offerType: offer?.type ?? trial };
}

function periodRow(
  source: ReportSource,
  subscription: SourceSubscription,
  charged: ChargedSubscription,
  item: ChargedItem,
  money: ItemMoney,
): TransactionRow {
  const { catalog, customer } = source;
  const { id, appId, store, storeKey } = subscription;
  const { storeProductId, planId, kind, isAddOn } = item;
  const isGrant = store === 'promotional';
  const isAutoRenewable = !isGrant && kind !== 'prepaid';
  const product = isGrant ? undefined : catalog.productOf(appId, storeProductId, planId);
  const productIdentifier = productIdOf(item, store);
  // The charge has one id, but each of its products a row.
  const suffix = isAddOn ? `/${productIdentifier}` : '';
  const originalId = originalIdOf(store, storeKey, charged.state.originalStoreTransactionId);
  return {
    purchaseId: id,
    periodKey: item.key,
    product: productIdentifier,
    customerId: customer.id,
    appId,
    ...placeOf(source, money.opening),
    productIdentifier,
    productDisplayName: product?.displayName ?? null,
    productDuration: product?.duration ?? null,
    startTime: new Date(item.startMs).toISOString(),
    endTime: isAutoRenewable ? timeOrNull(item.endMs) : null,
    effectiveEndTime: timeOrNull(item.accessEndsAtMs),
    store,
    isAutoRenewable,
    isTrialPeriod: kind === 'trial',
    isInIntroOfferPeriod: kind === 'intro',
    isSandbox: isSandbox(source, subscription),
    ...pricesOf(money, isGrant || isPaidByOther(item.ownership)),
    storeTransactionId: item.storeTransactionId + suffix,
    originalStoreTransactionId: originalId + suffix,
    refundedAt: timeOrNull(item.refundedAtMs),
    ...(item.isLatest ? stateOf(subscription, charged, isAutoRenewable) : noState),
    entitlementIdentifiers: lookupKeysOf(unlockedBy(catalog, subscription, storeProductId, planId)),
    renewalNumber: item.number,
    isTrialConversion: item.isTrialConversion,
    presentedOffering: charged.state.presentedOfferingId,
    ownershipType: isPaidByOther(item.ownership) ? 'FAMILY_SHARED' : 'PURCHASED',
    ...offerFields(item),
  };
}

export function subscriptionTransactions(
  source: ReportSource,
  subscription: SourceSubscription,
  charged: ChargedSubscription,
  ledger: readonly SourceLedgerRow[],
): TransactionRow[] {
  const money = moneyOfItems(charged, ledger);
  return charged.items.map((item) =>
    periodRow(source, subscription, charged, item, money.get(item) ?? chargeMoney([])),
  );
}

export function oneTimeTransaction(
  source: ReportSource,
  purchase: SourceOneTime,
  state: OneTimeState,
  ledger: readonly SourceLedgerRow[],
): TransactionRow {
  const { catalog, customer } = source;
  const { id, appId, store, purchaseKey, facts } = purchase;
  const { storeProductId, planId, ownership, storeTransactionId } = state;
  const money = chargeMoney(ledger);
  const productIdentifier = productIdOf(state, store);
  return {
    purchaseId: id,
    periodKey: purchaseKey,
    product: productIdentifier,
    customerId: customer.id,
    appId,
    ...placeOf(source, money.opening),
    productIdentifier,
    productDisplayName: catalog.productOf(appId, storeProductId, planId)?.displayName ?? null,
    productDuration: null,
    startTime: new Date(state.purchasedAtMs).toISOString(),
    endTime: null,
    effectiveEndTime: timeOrNull(state.refundedAtMs ?? state.expiresAtMs),
    store,
    isAutoRenewable: false,
    isTrialPeriod: false,
    isInIntroOfferPeriod: false,
    isSandbox: isSandbox(source, purchase),
    ...pricesOf(money, isPaidByOther(ownership)),
    storeTransactionId,
    originalStoreTransactionId: storeTransactionId,
    refundedAt: timeOrNull(effectivePurchase(facts).refund?.value.refundedAtMs ?? null),
    ...noState,
    entitlementIdentifiers: lookupKeysOf(oneTimeEntitlements(catalog, { purchase, state })),
    renewalNumber: 1,
    isTrialConversion: false,
    presentedOffering: state.presentedOfferingId,
    ownershipType: isPaidByOther(ownership) ? 'FAMILY_SHARED' : 'PURCHASED',
    offer: null,
    offerType: null,
  };
}
