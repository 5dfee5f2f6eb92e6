import { alpha3Country } from '../kernel/index.js';
import { milliRest } from './amounts.js';
import { currentItems, refundsOf } from './history.js';
import type { BuyEvent, PurchaseReport, ReportItem } from './model.js';

interface CommonLineItem {
  /** Unique in the app, at most 128 characters. */
  lineItemId: string;
  /** Epoch ms. */
  creationDate: number;
  /** Amounts are in thousandths of the reporting currency. */
  amountTaxInclusive: number;
  amountTaxExclusive: number;
  taxAmount: number;
  netAmountTaxExclusive: number;
  /** ISO 3166-1 alpha-3. */
  taxCountry: string;
  pricingCurrency: string;
  reportingCurrency: string;
  exchangeRate?: number;
  restatement?: true;
  erroneouslySubmitted?: true;
}

export interface OneTimeBuyLineItem extends CommonLineItem {
  eventType: 'BUY';
  productType: 'ONE_TIME_BUY';
  productIdentifier: string;
  quantity: number;
}

export interface SubscriptionBuyLineItem extends CommonLineItem {
  eventType: 'BUY';
  productType: 'SUBSCRIPTION';
  productIdentifier: string;
  quantity: number;
  subscriptionEvent: 'SUBSCRIPTION_START' | 'RENEWAL' | 'SUBSCRIPTION_CHANGE' | 'SUBSCRIPTION_PAYMENT';
  /** Epoch ms. */
  subscriptionStartDate: number;
  subscriptionEndDate?: number;
  subscriptionDaysOfPaidService: number;
  /** Absent for the start. */
  referenceLineItemId?: string;
}

export interface RefundLineItem extends CommonLineItem {
  eventType: 'REFUND';
  referenceLineItemId: string;
}

export type AppleLineItem = OneTimeBuyLineItem | SubscriptionBuyLineItem | RefundLineItem;

export type AppleReportStatus = 'LINE_ITEM' | 'NO_LINE_ITEM' | 'UNRECOGNIZED_TOKEN' | 'DUPLICATE_TOKEN';

/** Body of PUT /externalPurchase/v1/reports. */
export interface AppleReport {
  /** UUID. Stays the same until Apple accepts the report. */
  requestIdentifier: string;
  externalPurchaseId: string;
  status: AppleReportStatus;
  /** Only with the status LINE_ITEM. */
  lineItems?: AppleLineItem[];
}

const subscriptionEvents: Record<
  Exclude<BuyEvent, 'one_time'>,
  SubscriptionBuyLineItem['subscriptionEvent']
> = {
  start: 'SUBSCRIPTION_START',
  renewal: 'RENEWAL',
  change: 'SUBSCRIPTION_CHANGE',
  payment: 'SUBSCRIPTION_PAYMENT',
};

/** A report about a token without purchases. */
export function appleTokenReport(
  externalPurchaseId: string,
  status: Exclude<AppleReportStatus, 'LINE_ITEM'>,
  requestIdentifier: string,
): AppleReport {
  return { requestIdentifier, externalPurchaseId, status };
}

/** Exclusive of tax: the amount of a charge, or what all refunds left of it. */
function netOf(item: ReportItem, items: readonly ReportItem[]): number | null {
  if (item.refundOf === null) return item.milli?.exclusive ?? null;
  const charge = items.find(({ lineItemId }) => lineItemId === item.refundOf);
  return charge ? (milliRest(charge, refundsOf(items, charge.lineItemId))?.exclusive ?? null) : null;
}

/** Null if something is unknown. `items` are the current lines, with this report. */
function lineItem(item: ReportItem, items: readonly ReportItem[]): AppleLineItem | null {
  const { lineItemId, event, atMs, currency, reporting, productId: productIdentifier, quantity } = item;
  const amounts = item.milli;
  const net = netOf(item, items);
  const taxCountry = alpha3Country(item.country);
  if (amounts === null || net === null || taxCountry === null || !currency || !reporting?.rate) return null;
  const common = {
    lineItemId,
    creationDate: atMs,
    amountTaxInclusive: amounts.inclusive,
    amountTaxExclusive: amounts.exclusive,
    taxAmount: amounts.tax,
    netAmountTaxExclusive: net,
    taxCountry,
    pricingCurrency: currency,
    reportingCurrency: reporting.currency,
    ...(reporting.currency !== currency && { exchangeRate: reporting.rate }),
    ...(item.isRestatement && { restatement: true as const }),
    ...(item.isWithdrawn && { erroneouslySubmitted: true as const }),
  };
  if (event === 'refund') {
    return { ...common, eventType: 'REFUND', referenceLineItemId: item.refundOf ?? '' };
  }
  const buy = { ...common, eventType: 'BUY' as const, productIdentifier, quantity };
  if (event === 'one_time') return { ...buy, productType: 'ONE_TIME_BUY' };
  const { period, series } = item;
  return {
    ...buy,
    productType: 'SUBSCRIPTION',
    subscriptionEvent: subscriptionEvents[event],
    subscriptionStartDate: period?.startMs ?? atMs,
    ...(period?.endMs && { subscriptionEndDate: period.endMs }),
    subscriptionDaysOfPaidService: item.paidDays,
    ...(series !== null && series !== lineItemId && { referenceLineItemId: series }),
  };
}

/** Null if something is unknown. `earlier` are the current lines of all earlier reports about the purchase. */
export function appleReport(
  { requestIdentifier, items }: Pick<PurchaseReport, 'requestIdentifier' | 'items'>,
  externalPurchaseId: string,
  earlier: ReportItem[],
): AppleReport | null {
  const current = currentItems([{ items: earlier }, { items }]);
  const lineItems: AppleLineItem[] = [];
  for (const item of items) {
    const line = lineItem(item, current);
    if (line === null) return null;
    lineItems.push(line);
  }
  return { requestIdentifier, externalPurchaseId, status: 'LINE_ITEM', lineItems };
}
