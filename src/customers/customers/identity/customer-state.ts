import type { AppAccount } from './store-accounts.service.js';

/** A stored row of `subscriptions`. The engine's facts and emitted state are opaque here. */
export interface SubscriptionRow {
  id: string;
  appId: string | null;
  store: string;
  environment: string;
  storeKey: string;
  customerId: string;
  originalCustomerId: string;
  originalCustomerAppUserId: string;
  facts: unknown;
  factsAtMs: number;
  emitted: unknown;
  /** The entitlement that a promotional subscription unlocks; null for purchases, which unlock their product's. */
  grantedEntitlementId: string | null;
}

export interface OneTimeRow {
  id: string;
  appId: string | null;
  store: string;
  environment: string;
  purchaseKey: string;
  customerId: string;
  originalCustomerId: string;
  originalCustomerAppUserId: string;
  facts: unknown;
  factsAtMs: number;
  emitted: unknown;
}

export interface AliasRow {
  appUserId: string;
  isAnonymous: boolean;
  createdAtMs: number;
}

/**
 * The writer of an attribute, least trusted first: anyone with the public key, a receipt of a purchase made on the web,
 * or a secret key.
 */
export const attributeSources = ['sdk', 'receipt', 'api'] as const;
export type AttributeSource = (typeof attributeSources)[number];

export interface AttributeRow {
  name: string;
  /** Null: deleted. Stored so that an older write does not restore the attribute. */
  value: string | null;
  updatedAtMs: number;
  source: AttributeSource;
}

/** An experiment that the customer joined. */
export interface EnrollmentRow {
  experimentId: string;
  experimentName: string;
  /** The experiment is running or paused. */
  isLive: boolean;
  variant: 'a' | 'b' | 'c' | 'd';
  enrolledAtMs: number;
  /** Another live experiment took precedence when two customers were merged. */
  isSuperseded: boolean;
}

/** The current time for a customer when the real time is `nowMs`. */
export function timeOf({ testClockMs }: Pick<CustomerRow, 'testClockMs'>, nowMs: number): number {
  return testClockMs ?? nowMs;
}

/** Everything about one customer that an answer, an event or a decision needs. */
export interface CustomerRow {
  id: string;
  originalAppUserId: string;
  firstSeenAtMs: number;
  lastSeenAtMs: number | null;
  lastSeenPlatform: string | null;
  lastSeenPlatformVersion: string | null;
  lastSeenAppVersion: string | null;
  lastSeenCountry: string | null;
  originalApplicationVersion: string | null;
  originalPurchaseAtMs: number | null;
  testClockId: string | null;
  /** The test clock's time, epoch ms; null without a clock. */
  testClockMs: number | null;
  version: number;
  eventSequence: number;
  /** The time in the last event; null if there is none. */
  lastEventAtMs: number | null;
  /** One of the customer's ids is blocked, so purchases give no access. */
  blocked: boolean;
  aliases: AliasRow[];
  attributes: AttributeRow[];
  /** Oldest first. */
  enrollments: EnrollmentRow[];
  subscriptions: SubscriptionRow[];
  purchases: OneTimeRow[];
  /** The customer's accounts among the requested ones. Only set for customers selected by accounts. */
  accounts?: AppAccount[];
}
