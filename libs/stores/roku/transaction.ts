import { isJsonObject } from '../../kernel/index.js';
import { isTransactionId, transactionKey } from './transaction-id.js';
import { rokuFlag, rokuMicros, rokuText, rokuTime } from './values.js';

export type PurchaseStatus = 'active' | 'inactive' | 'pending_active' | 'pending_inactive';

/** Roku's report on one transaction. Ids are as Roku writes them; keys are comparable. */
export interface RokuTransaction {
  id: string;
  key: string;
  originalId: string;
  /** Identifies the purchase or subscription: the key of its first transaction. */
  subscriptionKey: string;
  productId: string;
  channelId: string | null;
  purchasedAtMs: number;
  /** Null for a one-time purchase. */
  expiresAtMs: number | null;
  /** Also false before a downgrade starts, so it decides nothing alone. */
  isEntitled: boolean;
  isCancelled: boolean;
  /** Transactions that an upgrade or downgrade ends. */
  replacedIds: string[];
  change: 'upgrade' | 'downgrade' | null;
  status: PurchaseStatus | null;
  isFreeTrial: boolean;
  /** Includes tax. */
  totalMicros: number | null;
  currency: string | null;
  quantity: number;
  customerId: string | null;
  partnerReferenceId: string | null;
}

const CURRENCY = /^[A-Za-z]{3}$/;
const statuses: Record<string, PurchaseStatus> = {
  active: 'active',
  inactive: 'inactive',
  pendingactive: 'pending_active',
  pendinginactive: 'pending_inactive',
};

function idOf(value: unknown): string | null {
  const text = rokuText(value);
  return text !== null && isTransactionId(text) ? text : null;
}

function changeOf(value: unknown): RokuTransaction['change'] {
  const name = rokuText(value)?.toLowerCase();
  return name === 'upgrade' || name === 'downgrade' ? name : null;
}

function idsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => idOf(one) ?? []);
}

export function currencyOf(value: unknown): string | null {
  const text = rokuText(value) ?? '';
  return CURRENCY.test(text) ? text.toUpperCase() : null;
}

/** Roku capitalizes field names differently from one answer to the next. */
export function lowerCased(json: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Null if the answer names no purchase. */
export function readTransaction(json: unknown): RokuTransaction | null {
  if (!isJsonObject(json)) return null;
  const fields = lowerCased(json);
  const id = idOf(fields.transactionid);
  const originalId = idOf(fields.originaltransactionid) ?? id;
  const productId = rokuText(fields.productid);
  const purchasedAtMs = rokuTime(fields.purchasedate) ?? rokuTime(fields.originalpurchasedate);
  if (id === null || originalId === null || productId === null || purchasedAtMs === null) return null;
  const expiresAtMs = rokuTime(fields.expirationdate);
  const quantity = Number(rokuText(fields.quantity) ?? 1);
  const status = rokuText(fields.purchasestatus)?.replaceAll('_', '').toLowerCase() ?? '';
  return {
    id,
    key: transactionKey(id),
    originalId,
    subscriptionKey: transactionKey(originalId),
    productId,
    channelId: rokuText(fields.channelid),
    purchasedAtMs,
    expiresAtMs,
    isEntitled: rokuFlag(fields.isentitled),
    isCancelled: rokuFlag(fields.cancelled),
    replacedIds: idsIn(fields.cancelledtransactionids),
    change: changeOf(fields.purchasetype),
    status: statuses[status] ?? null,
    isFreeTrial: rokuFlag(fields.isfreetrial),
    totalMicros: rokuMicros(fields.total),
    currency: currencyOf(fields.currency),
    quantity: Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 1,
    customerId: rokuText(fields.rokucustomerid) ?? rokuText(fields.customerid),
    partnerReferenceId: rokuText(fields.partnerreferenceid),
  };
}

/** A refund that Roku made for a transaction. */
export interface RokuRefund {
  /** The transaction as Roku names it; for a renewal, possibly the first of its subscription. */
  ofKey: string;
  amountMicros: number;
  /** Null if Roku does not report the time. */
  atMs: number | null;
}

/** Null if the answer names no refund. */
export function readRefund(json: unknown): RokuRefund | null {
  if (!isJsonObject(json)) return null;
  const fields = lowerCased(json);
  const of = idOf(fields.originaltransactionid) ?? idOf(fields.transactionid);
  const micros = rokuMicros(fields.total) ?? rokuMicros(fields.amount);
  if (of === null || micros === null) return null;
  return { ofKey: transactionKey(of), amountMicros: Math.abs(micros), atMs: rokuTime(fields.purchasedate) };
}
