import type { Note } from '../notes/notes.queries.js';
import type { Purchase, Subscription } from '../purchases/purchases.queries.js';

/** Actions of the dialogs on a customer. */
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
  | { kind: 'note'; note: Note | null }
  | { kind: 'delete-note'; note: Note }
  | { kind: 'block' }
  | { kind: 'unblock' }
  | { kind: 'delete' };

/** A completed action, to report with an undo and a link to its audit entry. */
export interface Done {
  title: string;
  /** The object in the audit log, if it is not the customer. */
  target?: string;
  undo?: () => Promise<unknown>;
}
