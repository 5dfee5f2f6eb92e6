import type { AppAccount } from './store-accounts.service.js';

/** A row of `subscriptions` as the database holds it; the engine's facts and emitted state are opaque here. */
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
  /** What a promotional subscription unlocks; null for purchases, which unlock what their product does. */
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
 * The writer of an attribute, least trusted first: anyone who has the public key, a receipt of a purchase made on the
 * web, or a secret key.
 */
export const attributeSources = ['sdk', 'receipt', 'api'] as const;
export type AttributeSource = (typeof attributeSources)[number];

export interface AttributeRow {
  name: string;
  /** Null: deleted. Kept, so that an older write does not bring the attribute back. */
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
  /** Another live experiment of the customer goes on instead, since two customers became one. */
  isSuperseded: boolean;
}

/** What time it is for a customer when it really is `nowMs`. */
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
  /** What time that is for the customer, epoch ms; null without a clock. */
  testClockMs: number | null;
  version: number;
  eventSequence: number;
  /** What the last event says of its time; null without one. */
  lastEventAtMs: number | null;
  /** One of the customer's ids is blocked: purchases give no access. */
  blocked: boolean;
  aliases: AliasRow[];
  attributes: AttributeRow[];
  /** Oldest first. */
  enrollments: EnrollmentRow[];
  subscriptions: SubscriptionRow[];
  purchases: OneTimeRow[];
  /** Those of the wanted store accounts that are the customer's. Only of customers who were selected by accounts. */
  accounts?: AppAccount[];
}
