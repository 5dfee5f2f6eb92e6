import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';

/** The columns of a subscription that must match its facts. */
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

export interface StoredMoney {
  purchaseId: string;
  periodKey: string;
  currency: string | null;
  /** Micros. */
  sum: number | null;
}

export interface StoredAnswer {
  customerVersion: number;
  catalogVersion: number;
  validUntilMs: number | null;
  subscriber: string;
}

/** A customer's rows, all from the same snapshot. */
export interface StoredCustomer extends CustomerRow {
  storedSubscriptions: StoredSubscription[];
  storedPurchases: StoredPurchase[];
  money: StoredMoney[];
  answer: StoredAnswer | null;
}
