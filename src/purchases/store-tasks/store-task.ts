import type { App } from '../../catalog/apps/app.entity.js';

export type StoreTaskKind =
  | 'acknowledge_purchase'
  | 'import_purchase'
  | 'import_resolve'
  | 'mail_redemption_link'
  | 'poll_overdue_subscriptions'
  | 'poll_silent_app'
  | 'probe_credentials'
  | 'read_missed_notifications'
  | 'read_missed_paddle_events'
  | 'read_previous_subscription'
  | 'read_recorded_rentals'
  | 'scan_voided_purchases'
  | 'send_external_reports'
  | 'send_external_transactions'
  | 'walk_open_subscriptions'
  | 'watch_notifications';

/** The identity of a task. Adding an existing key has no effect. */
export interface StoreTaskKey {
  projectId: string;
  appId: string;
  kind: StoreTaskKind;
  /** The object within the app; empty for the app itself. */
  key: string;
}

export interface NewStoreTask extends Omit<StoreTaskKey, 'projectId'> {
  /** Plain JSON for the handler. */
  detail: object;
  /** A time stored by the handler, for example how far it has read. */
  markAt: Date | null;
  dueAt: Date;
  error?: string;
}

export interface StoreTask extends StoreTaskKey {
  detail: unknown;
  markAt: Date | null;
  /** Number of failures since the last success. */
  attempts: number;
}

export type StoreTaskResult =
  | 'done'
  | {
      againAtMs: number;
      /** Null if it succeeded. */
      error: string | null;
      /** The time to store; unchanged if absent. */
      markAt?: Date;
    };

export interface StoreTaskHandler {
  readonly kind: StoreTaskKind;
  work(task: StoreTask, app: App): Promise<StoreTaskResult>;
}
