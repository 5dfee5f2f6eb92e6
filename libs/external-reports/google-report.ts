import type { PurchaseReport, ReportContext, ReportItem } from './model.js';

interface Price {
  /** Integer in text. */
  priceMicros: string;
  currency: string;
}

interface UserTaxAddress {
  /** ISO 3166-1 alpha-2. */
  regionCode: string;
  /** Required in India. */
  administrativeArea?: string;
}

interface ExternalSubscription {
  subscriptionType: 'RECURRING';
}

/** Body of externaltransactions.create. */
export interface ExternalTransaction {
  originalPreTaxAmount: Price;
  originalTaxAmount: Price;
  /** RFC 3339. */
  transactionTime: string;
  userTaxAddress: UserTaxAddress;
  oneTimeTransaction?: { externalTransactionToken?: string };
  recurringTransaction?: {
    externalTransactionToken?: string;
    initialExternalTransactionId?: string;
    externalSubscription: ExternalSubscription;
  };
  externalOfferDetails?: { linkType: string };
}

/** Body of externaltransactions.refund. */
export interface ExternalTransactionRefund {
  /** RFC 3339. */
  refundTime: string;
  fullRefund?: Record<string, never>;
  partialRefund?: { refundId: string; refundPreTaxAmount: Price };
}

/** A call without the token of the purchase, which is secret and inserted when the report is sent. */
export type GoogleReport =
  | { call: 'create'; externalTransactionId: string; needsToken: boolean; body: ExternalTransaction }
  | {
      call: 'refund';
      externalTransactionId: string;
      /** Remainder of the transaction after this refund. */
      preTaxLeft: Price;
      body: ExternalTransactionRefund;
    };

/** Inserts the token into the body of a call. */
export function withExternalToken(body: ExternalTransaction, token: string): ExternalTransaction {
  const { oneTimeTransaction, recurringTransaction } = body;
  const externalTransactionToken = token;
  return {
    ...body,
    ...(oneTimeTransaction && { oneTimeTransaction: { externalTransactionToken } }),
    ...(recurringTransaction && {
      recurringTransaction: { externalTransactionToken, ...recurringTransaction },
    }),
  };
}

/** Whether Google wants a token with the charge: it is sold once, or is the first of a series. */
export function needsExternalToken({ event, lineItemId, series }: ReportItem): boolean {
  return event === 'one_time' || (event !== 'refund' && series === lineItemId);
}

/** Google taxes purchases by state only there. */
export function needsState({ country }: ReportItem): boolean {
  return country === 'IN';
}

function price(micros: number, currency: string): Price {
  return { priceMicros: String(micros), currency };
}

const externalSubscription: ExternalSubscription = { subscriptionType: 'RECURRING' };

/** Null if something is unknown, or if Google has no such call. `earlier` are the current lines of earlier reports. */
export function googleReport(
  { id, items }: Pick<PurchaseReport, 'id' | 'items'>,
  earlier: readonly ReportItem[],
  { linkType }: Pick<ReportContext, 'linkType'>,
): GoogleReport | null {
  const [item, ...others] = items;
  if (!item || others.length > 0 || item.isRestatement) return null;
  const { amountMicros, taxMicros, currency, country, region } = item;
  if (amountMicros === null || taxMicros === null || currency === null || country === null) return null;
  const preTax = price(amountMicros - taxMicros, currency);
  const at = new Date(item.atMs).toISOString();
  if (item.refundOf !== null) {
    const charge = earlier.find(({ lineItemId }) => lineItemId === item.refundOf);
    const partialRefund = { refundId: id, refundPreTaxAmount: preTax };
    const isFull = charge?.amountMicros === amountMicros;
    const body = { refundTime: at, ...(isFull ? { fullRefund: {} } : { partialRefund }) };
    const preTaxLeft = price(item.netMicros ?? 0, currency);
    return { call: 'refund', externalTransactionId: item.refundOf, preTaxLeft, body };
  }
  const needsToken = needsExternalToken(item);
  return {
    call: 'create',
    externalTransactionId: item.lineItemId,
    needsToken,
    body: {
      originalPreTaxAmount: preTax,
      originalTaxAmount: price(taxMicros, currency),
      transactionTime: at,
      userTaxAddress: { regionCode: country, ...(needsState(item) && { administrativeArea: region ?? '' }) },
      ...(item.event === 'one_time'
        ? { oneTimeTransaction: {} }
        : {
            recurringTransaction: {
              ...(!needsToken && { initialExternalTransactionId: item.series ?? '' }),
              externalSubscription,
            },
          }),
      ...(linkType !== null && { externalOfferDetails: { linkType } }),
    },
  };
}
