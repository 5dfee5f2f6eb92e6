import type { Purchase, Subscription } from '../purchases.queries.js';

/** What the dialogs do to a customer. */
export type CustomerAction =
  | { kind: 'grant'; entitlementId?: string }
  | { kind: 'revoke'; entitlementId: string; lookupKey: string }
  | { kind: 'offering' }
  | { kind: 'transfer' }
  | { kind: 'restore' }
  | { kind: 'refund'; subscription: Subscription }
  | { kind: 'refund-purchase'; purchase: Purchase }
  | { kind: 'cancel'; subscription: Subscription }
  | { kind: 'extend'; subscription: Subscription }
  | { kind: 'balance'; code?: string }
  | { kind: 'block' }
  | { kind: 'unblock' }
  | { kind: 'delete' };

/** What was done, to be said with a way back and a way to its audit entry. */
export interface Done {
  title: string;
  /** The object in the audit log, where it is not the customer. */
  target?: string;
  undo?: () => Promise<unknown>;
}
