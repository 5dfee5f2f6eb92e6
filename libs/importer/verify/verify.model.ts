import type { Environment } from '../../engine/index.js';

/** The data of a customer on one side that `verify` reads. Times are epoch milliseconds. */
export interface CustomerState {
  /** The customer's id on this side; the requested id may be an alias. */
  id: string;
  /** Ends of active entitlements by lookup key; null means no end. */
  entitlements: Map<string, number | null>;
  accessSubscriptions: AccessSubscription[];
  /** Periods in which the target extends access until it can ask Google Play about the renewal. */
  held: { fromMs: number; untilMs: number }[];
  /** Null unless compared in depth. */
  ownedPurchases: number | null;
  /** Keyed by currency code; null unless compared in depth. */
  balances: Map<string, number> | null;
}

export interface AccessSubscription {
  id: string;
  storeIdentifier: string;
  environment: Environment;
}

export const differenceTypes = [
  'missing_in_target',
  'only_in_target',
  'entitlement_missing',
  'entitlement_extra',
  'expiry',
  'subscription_count',
  'purchase_count',
  'balance',
] as const;
export type DifferenceType = (typeof differenceTypes)[number];

/** An entitlement, a balance, a count, or a customer's id; null if a side has none. */
export type DifferentValue =
  | { lookup_key: string; expires_at: number | null }
  | { code: string; balance: number }
  | number
  | string
  | null;

export interface Difference {
  id: string;
  type: DifferenceType;
  source: DifferentValue;
  target: DifferentValue;
  /** Whether importing the customer again can remove the difference. */
  fixable_by_import: boolean;
}

export interface SidePair {
  source: number;
  target: number;
}

/** Output of `--json`, and valid input for `--ids`. */
export interface VerifyReport {
  kind: 'verify';
  version: 1;
  source: { project: string };
  target: { url: string; project: string };
  started_at: number;
  finished_at: number;
  customers: SidePair & { checked: number };
  entitlements: SidePair;
  access_subscriptions: SidePair & { production: SidePair; sandbox: SidePair };
  differences: Difference[];
  /** Number of differences beyond those listed. */
  differences_left_out: number;
  /** The first few. Customers created at the target do not count as differences. */
  only_in_target: string[];
  by_type: Record<DifferenceType, number>;
  /** Number of customers imported again by `--fix`. */
  fixed: number;
  requests: { source: number; target: number; rate_limited_seconds: number };
}
