import type { Environment } from '../../engine/index.js';

/** What `verify` reads of a customer on one side. Times are epoch milliseconds. */
export interface CustomerState {
  /** Id of the customer on this side; the one that was asked for may be an alias. */
  id: string;
  /** Lookup keys of active entitlements to their ends; null never ends. */
  entitlements: Map<string, number | null>;
  accessSubscriptions: AccessSubscription[];
  /** Periods in which the target keeps access open until it can ask Google Play about the renewal. */
  held: { fromMs: number; untilMs: number }[];
  /** Null unless compared in depth. */
  ownedPurchases: number | null;
  /** By currency code; null unless compared in depth. */
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

/** An entitlement, a balance, a count, or the id of a customer; null where a side has nothing. */
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
  /** Whether another import of the customer can remove it. */
  fixable_by_import: boolean;
}

export interface SidePair {
  source: number;
  target: number;
}

/** What `--json` prints; a valid input of `--ids`. */
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
  /** Differences beyond those listed. */
  differences_left_out: number;
  /** The first ones; customers made at the target are no difference. */
  only_in_target: string[];
  by_type: Record<DifferenceType, number>;
  /** Customers imported again by `--fix`. */
  fixed: number;
  requests: { source: number; target: number; rate_limited_seconds: number };
}
