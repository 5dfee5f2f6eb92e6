import type { App } from '../../catalog/apps/app.entity.js';

/**
 * What is to be done with a store: tell it that a purchase was recorded, ask whether it takes credentials again
 * that it refused, read what it took away, what became of subscriptions.
 */
export type ChoreKind =
  | 'acknowledge_purchase'
  | 'poll_overdue_subscriptions'
  | 'poll_silent_app'
  | 'probe_credentials'
  | 'read_missed_notifications'
  | 'scan_voided_purchases';

/** Names a chore for ever: the same again is not another one. */
export interface ChorePlace {
  projectId: string;
  appId: string;
  kind: ChoreKind;
  /** Of what within the app; empty for the app itself. */
  key: string;
}

export interface NewChore extends Omit<ChorePlace, 'projectId'> {
  /** Plain JSON, for the handler. */
  detail: object;
  /** A moment that the handler keeps. */
  markAt: Date | null;
  dueAt: Date;
  error?: string;
}

/** A chore that this process works on. */
export interface Chore extends ChorePlace {
  detail: unknown;
  markAt: Date | null;
  /** How often it failed since it last succeeded. */
  attempts: number;
}

/** What came of it: it is done for ever, or to be done again. */
export type ChoreResult =
  | 'done'
  | {
      againAtMs: number;
      /** Why it failed; null when it did not. */
      error: string | null;
      /** The moment to keep; as it was when left out. */
      markAt?: Date;
    };

export interface ChoreHandler {
  readonly kind: ChoreKind;
  /** `app`: the app whose store it is about. */
  work(chore: Chore, app: App): Promise<ChoreResult>;
}
