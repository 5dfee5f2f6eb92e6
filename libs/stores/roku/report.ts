import type { RokuTransaction } from './transaction.js';

/** Money that went back for a transaction, as far as Roku vouches for it. */
export interface MoneyBack {
  /** Identifies the refund or chargeback itself. */
  key: string;
  /** Key of the transaction. */
  ofKey: string;
  /** Null: the money came back to the developer, a reversed chargeback. */
  amountMicros: number | null;
  atMs: number;
  /** A chargeback is only money: the customer keeps what was bought as long as Roku says so. */
  endsAccess: boolean;
}

/**
 * Whether a refund is not counted yet. Notifications arrive in any order and more than once. Refunds that were counted
 * before their keys were kept are known by their time.
 */
export function isNewRefund(
  key: string,
  atMs: number,
  counted: { refundKeys?: string[]; atMs: number | null } | undefined,
): boolean {
  if (!counted) return true;
  return counted.refundKeys ? !counted.refundKeys.includes(key) : (counted.atMs ?? -1) < atMs;
}

/** What is known besides Roku's answers. None of it counts against them. */
export interface RokuHints {
  /** The device or the notification says that the first period is a trial. Counts only if it cost nothing. */
  isTrial: boolean;
  /** The product has an introductory price. */
  hasIntro: boolean;
  /** Roku told of a failed charge. */
  inGrace: boolean;
  /** Roku told of an offer that keeps a customer who wanted to cancel: a later end is a gift. */
  hasOffer: boolean;
  moneyBack: MoneyBack | null;
}

export const noHints: RokuHints = {
  isTrial: false,
  hasIntro: false,
  inGrace: false,
  hasOffer: false,
  moneyBack: null,
};

/** The subscription that ends another one, at once or when that one's period is over. */
export interface Successor {
  chainKey: string;
  productId: string;
  /** When it began; null while it has not. */
  startMs: number | null;
}

/** Roku's answers about one subscription. */
export interface RokuReport {
  /** At least one. */
  transactions: RokuTransaction[];
  hints: RokuHints;
  successor: Successor | null;
  /** Of its product in the catalog; ISO 8601. */
  duration: string | null;
  /** When Roku was asked. */
  atMs: number;
}

/**
 * The transactions that sold something, oldest first. One that announces a downgrade did not, unless it is all that a
 * test user, who pays nothing, has of it.
 */
export function begun(transactions: RokuTransaction[]): RokuTransaction[] {
  const started = transactions.filter(({ status }) => status !== 'pending_active');
  const sold = started.filter(({ change, totalMicros }) => change !== 'downgrade' || totalMicros !== 0);
  const counting = sold.length > 0 ? sold : started.filter(({ status }) => status !== 'inactive');
  return counting.toSorted((a, b) => a.purchasedAtMs - b.purchasedAtMs || (a.key < b.key ? -1 : 1));
}

/** The answer with the latest expiration: it says what becomes of the subscription. */
export function saidBy(transactions: RokuTransaction[]): RokuTransaction | null {
  const [first, ...others] = transactions;
  if (!first) return null;
  return others.reduce((a, b) => ((b.expiresAtMs ?? 0) >= (a.expiresAtMs ?? 0) ? b : a), first);
}

/** What the subscription of these transactions is to the one that it ends. */
export function successorOf(transactions: RokuTransaction[]): Successor | null {
  const [first] = begun(transactions);
  const latest = begun(transactions).at(-1) ?? transactions[0];
  if (!latest) return null;
  const { chainKey, productId } = first ?? latest;
  return { chainKey, productId, startMs: first?.purchasedAtMs ?? null };
}
