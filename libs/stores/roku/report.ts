import type { RokuTransaction } from './transaction.js';

/** Money returned for a transaction, as far as Roku confirms it. */
export interface MoneyBack {
  /** Identifies the refund or chargeback itself. */
  key: string;
  /** Key of the transaction. */
  ofKey: string;
  /** Null for a reversed chargeback: the developer got the money back. */
  amountMicros: number | null;
  atMs: number;
  /** A chargeback only moves money: the customer keeps the purchase as long as Roku reports it. */
  endsAccess: boolean;
}

/**
 * Whether a refund is not counted yet. Notifications arrive in any order and more than once. Refunds that were counted
 * before their keys were stored are identified by their time.
 */
export function isNewRefund(
  key: string,
  atMs: number,
  counted: { refundKeys?: string[]; atMs: number | null } | undefined,
): boolean {
  if (!counted) return true;
  return counted.refundKeys ? !counted.refundKeys.includes(key) : (counted.atMs ?? -1) < atMs;
}

/** Known facts besides Roku's answers. Roku's answers take precedence. */
export interface RokuHints {
  /** The device or the notification reports a trial as the first period. Counts only if it cost nothing. */
  isTrial: boolean;
  /** The product has an introductory price. */
  hasIntro: boolean;
  /** Roku reported a failed charge. */
  inGrace: boolean;
  /** Roku reported a retention offer; the extension is free. */
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

/** The subscription that replaces another one, at once or at the end of its period. */
export interface Successor {
  subscriptionKey: string;
  productId: string;
  /** Start of the subscription; null until it starts. */
  startMs: number | null;
}

/** Roku's answers about one subscription. */
export interface RokuReport {
  /** At least one. */
  transactions: RokuTransaction[];
  hints: RokuHints;
  successor: Successor | null;
  /** ISO 8601 duration of its product in the catalog. */
  duration: string | null;
  /** When Roku was queried. */
  atMs: number;
}

/**
 * The transactions that sold something, oldest first. One that announces a downgrade did not, unless a test user, who
 * pays nothing, has no other.
 */
export function begun(transactions: RokuTransaction[]): RokuTransaction[] {
  const started = transactions.filter(({ status }) => status !== 'pending_active');
  const sold = started.filter(({ change, totalMicros }) => change !== 'downgrade' || totalMicros !== 0);
  const counting = sold.length > 0 ? sold : started.filter(({ status }) => status !== 'inactive');
  return counting.toSorted((a, b) => a.purchasedAtMs - b.purchasedAtMs || (a.key < b.key ? -1 : 1));
}

/** The answer with the latest expiration. It determines the current state of the subscription. */
export function saidBy(transactions: RokuTransaction[]): RokuTransaction | null {
  const [first, ...others] = transactions;
  if (!first) return null;
  return others.reduce((a, b) => ((b.expiresAtMs ?? 0) >= (a.expiresAtMs ?? 0) ? b : a), first);
}

/** Describes the subscription of these transactions as the successor of the one it ends. */
export function successorOf(transactions: RokuTransaction[]): Successor | null {
  const [first] = begun(transactions);
  const latest = begun(transactions).at(-1) ?? transactions[0];
  if (!latest) return null;
  const { subscriptionKey, productId } = first ?? latest;
  return { subscriptionKey, productId, startMs: first?.purchasedAtMs ?? null };
}
