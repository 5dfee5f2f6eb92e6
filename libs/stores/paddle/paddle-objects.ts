/** The parts of Paddle's objects that are read. Amounts are text in the smallest unit of the currency. */

interface TimePeriod {
  starts_at: string;
  ends_at: string;
}

export interface PaddlePrice {
  id: string;
  product_id: string;
  /** Null for a one-time price. */
  billing_cycle: { interval: string; frequency: number } | null;
  trial_period?: { interval: string; frequency: number } | null;
  unit_price?: { amount: string; currency_code: string };
}

export type CustomData = Record<string, unknown> | null;

export interface SubscriptionItem {
  quantity: number;
  recurring: boolean;
  created_at?: string;
  trial_dates: TimePeriod | null;
  price: PaddlePrice;
}

export interface PaddleSubscription {
  id: string;
  status: 'active' | 'canceled' | 'past_due' | 'paused' | 'trialing';
  customer_id: string;
  currency_code: string;
  started_at: string | null;
  next_billed_at: string | null;
  paused_at: string | null;
  canceled_at: string | null;
  collection_mode: 'automatic' | 'manual';
  current_billing_period: TimePeriod | null;
  scheduled_change: {
    action: 'cancel' | 'pause' | 'resume';
    effective_at: string;
    resume_at: string | null;
  } | null;
  items: SubscriptionItem[];
  discount?: object | null;
  management_urls: { cancel?: string | null } | null;
  custom_data: CustomData;
  import_meta?: object | null;
}

/** A charge for part of a billing period. */
type Proration = { rate?: string; billing_period?: TimePeriod | null } | null;

export interface TransactionItem {
  quantity: number;
  price: PaddlePrice;
  proration?: Proration;
}

export interface LineItem {
  id?: string;
  price_id: string;
  quantity: number;
  proration?: Proration;
  totals: { total: string; subtotal?: string; discount?: string; tax?: string };
}

export interface Adjustment {
  id: string;
  action: string;
  type: 'full' | 'partial';
  status: 'pending_approval' | 'approved' | 'rejected' | 'reversed';
  transaction_id: string;
  items?: { item_id?: string; type?: string; amount?: string | null; totals?: { total?: string } }[];
  totals: { total: string; currency_code: string };
  created_at: string;
  updated_at: string;
}

export interface PaddleTransaction {
  id: string;
  status: 'draft' | 'ready' | 'billed' | 'paid' | 'completed' | 'canceled' | 'past_due';
  origin: string;
  customer_id: string | null;
  subscription_id: string | null;
  currency_code: string;
  collection_mode: 'automatic' | 'manual';
  billing_period: TimePeriod | null;
  items: TransactionItem[];
  details: {
    /** `grand_total`: after credits and balances. */
    totals: { total: string; grand_total?: string; tax?: string; fee: string | null };
    line_items: LineItem[];
  } | null;
  custom_data: CustomData;
  created_at: string;
  billed_at: string | null;
  address?: { country_code?: string } | null;
  adjustments?: Adjustment[] | null;
}

export interface PaddleHistory {
  subscription: PaddleSubscription;
  /** Newest first. */
  transactions: PaddleTransaction[];
  /** Older transactions were left out. */
  hasMore: boolean;
}

/** The API root: who is calling. */
export interface PaddleRoot {
  api: { environment: 'production' | 'sandbox' };
  caller: { account: unknown; permissions: string[] };
}

export const timeOf = (text: string): number => Date.parse(text);
export const timeOrNull = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : timeOf(text);

const MICROS = 1_000_000;
/** Paddle's other currencies have two decimals. */
const zeroDecimal = new Set(['CLP', 'JPY', 'KRW', 'VND']);

/** @throws TypeError for anything but an amount */
export function microsOf(amount: string, currency: string): number {
  const units = /^-?\d{1,13}$/.test(amount) ? Number(amount) : NaN;
  if (!Number.isFinite(units)) throw new TypeError('This is not an amount of Paddle.');
  return units * (MICROS / (zeroDecimal.has(currency.toUpperCase()) ? 1 : 100));
}

/** Amount paid, after credits and balances. */
export function paidOf({ details, currency_code: currency }: PaddleTransaction): number {
  return microsOf(details?.totals.grand_total ?? details?.totals.total ?? '0', currency);
}

/** Total of all lines, before credits and balances. */
export function totalOf({ details, currency_code: currency }: PaddleTransaction): number {
  return microsOf(details?.totals.total ?? '0', currency);
}

/** Null in transactions that name no tax. */
function taxOf({ details, currency_code: currency }: PaddleTransaction): number | null {
  const { tax } = details?.totals ?? {};
  return tax === undefined ? null : microsOf(tax, currency);
}

/** Null until Paddle has calculated its fee. */
function feeOf({ details, currency_code: currency }: PaddleTransaction): number | null {
  const fee = details?.totals.fee ?? null;
  return fee === null ? null : microsOf(fee, currency);
}

/** Payment decides: whatever the subscription shows, a period is paid for when its transaction is. */
export function isPaid(transaction: PaddleTransaction): boolean {
  const { status } = transaction;
  return status === 'paid' || status === 'completed' || (status === 'billed' && paidOf(transaction) === 0);
}

/** Returns a transaction's line for one of its items. Lines are in the order of the items. */
export function lineAt({ items, details }: PaddleTransaction, index: number): LineItem | null {
  const lines = details?.line_items ?? [];
  const id = items[index]?.price.id;
  const own = lines[index];
  return (own?.price_id === id ? own : lines.find(({ price_id: other }) => other === id)) ?? null;
}

/** The shares of a transaction's fee and tax in an amount of it. */
export function withheldShares(
  transaction: PaddleTransaction,
  amountMicros: number,
): { feeMicros?: number; taxMicros?: number } {
  const totalMicros = totalOf(transaction);
  if (totalMicros === 0) return {};
  const share = (wholeMicros: number): number => Math.round((wholeMicros * amountMicros) / totalMicros);
  const [fee, tax] = [feeOf(transaction), taxOf(transaction)];
  return {
    ...(fee !== null && { feeMicros: share(fee) }),
    ...(tax !== null && { taxMicros: share(tax) }),
  };
}
