import type { CustomerRow } from '../../customers/customers/customer-state.js';

/** What the columns of a subscription say, which its facts must say, too. */
export interface StoredSubscription {
  id: string;
  status: string;
  startedAtMs: number;
  accessEndsAtMs: number | null;
  nextDueAtMs: number | null;
  storeProductId: string | null;
}

export interface StoredPurchase {
  id: string;
  status: string;
  purchasedAtMs: number;
}

/** Sum of the ledger for one period, or one-time purchase, in one currency. */
export interface StoredMoney {
  purchaseId: string;
  periodKey: string;
  currency: string | null;
  /** Micros. */
  sum: number | null;
}

/** A prepared SDK answer, and the versions that it was made for. */
export interface StoredAnswer {
  customerVersion: number;
  catalogVersion: number;
  subscriber: string;
}

/** A customer as the tables hold it, all as of one moment. */
export interface StoredCustomer extends CustomerRow {
  storedSubscriptions: StoredSubscription[];
  storedPurchases: StoredPurchase[];
  money: StoredMoney[];
  answer: StoredAnswer | null;
}
