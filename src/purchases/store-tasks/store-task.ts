import type { App } from '../../catalog/apps/app.entity.js';

/**
 * Background work with a store: acknowledge a purchase, check refused credentials again, read voided purchases,
 * refresh subscriptions.
 */
export type StoreTaskKind =
  | 'acknowledge_purchase'
  | 'poll_overdue_subscriptions'
  | 'poll_silent_app'
  | 'probe_credentials'
  | 'read_missed_notifications'
  | 'scan_voided_purchases';

/** The identity of a task: adding the same key again adds nothing. */
export interface StoreTaskKey {
  projectId: string;
  appId: string;
  kind: StoreTaskKind;
  /** The object within the app; empty for the app itself. */
  key: string;
}

export interface NewStoreTask extends Omit<StoreTaskKey, 'projectId'> {
  /** Plain JSON, for the handler. */
  detail: object;
  /** A time that the handler stores, such as how far it has read. */
  markAt: Date | null;
  dueAt: Date;
  error?: string;
}

/** A task that this process works on. */
export interface StoreTask extends StoreTaskKey {
  detail: unknown;
  markAt: Date | null;
  /** Failures since the last success. */
  attempts: number;
}

/** Either done for good, or to be done again. */
export type StoreTaskResult =
  | 'done'
  | {
      againAtMs: number;
      /** Null if it succeeded. */
      error: string | null;
      /** The time to store; left out: unchanged. */
      markAt?: Date;
    };

export interface StoreTaskHandler {
  readonly kind: StoreTaskKind;
  work(task: StoreTask, app: App): Promise<StoreTaskResult>;
}
