import type { App } from '../../catalog/apps/app.entity.js';

/**
 * What is to be done with a store: tell it that a purchase was recorded, ask whether it takes credentials again
 * that it refused, read what it took away, what became of subscriptions.
 */
export type StoreTaskKind =
  | 'acknowledge_purchase'
  | 'poll_overdue_subscriptions'
  | 'poll_silent_app'
  | 'probe_credentials'
  | 'read_missed_notifications'
  | 'scan_voided_purchases';

/** Names a task for ever: the same again is not another one. */
export interface StoreTaskKey {
  projectId: string;
  appId: string;
  kind: StoreTaskKind;
  /** Of what within the app; empty for the app itself. */
  key: string;
}

export interface NewStoreTask extends Omit<StoreTaskKey, 'projectId'> {
  /** Plain JSON, for the handler. */
  detail: object;
  /** A moment that the handler keeps. */
  markAt: Date | null;
  dueAt: Date;
  error?: string;
}

/** A task that this process works on. */
export interface StoreTask extends StoreTaskKey {
  detail: unknown;
  markAt: Date | null;
  /** How often it failed since it last succeeded. */
  attempts: number;
}

/** What came of it: it is done for ever, or to be done again. */
export type StoreTaskResult =
  | 'done'
  | {
      againAtMs: number;
      /** Why it failed; null when it did not. */
      error: string | null;
      /** The moment to keep; as it was when left out. */
      markAt?: Date;
    };

export interface StoreTaskHandler {
  readonly kind: StoreTaskKind;
  /** `app`: the app whose store it is about. */
  work(task: StoreTask, app: App): Promise<StoreTaskResult>;
}
