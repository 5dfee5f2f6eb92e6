import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { AppType } from '../../platform/principal/app-types.js';

/** Stores that send notifications, as in the address `/v1/notifications/<store>/<app id>`. */
export const notifyingStores = ['apple', 'google', 'amazon', 'stripe', 'paddle', 'roku'] as const;
export type NotifyingStore = (typeof notifyingStores)[number];

export interface RawNotification {
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface NotificationHead {
  /** The store's id of it; the same key again is a duplicate. */
  dedupeKey: string;
  /** The store's type and subtype; null if it has none. */
  kind: string | null;
  subkind: string | null;
  environment: 'production' | 'sandbox' | null;
  /** Key of the subscription or purchase; null if the notification does not contain it. */
  subject: string | null;
  /** Epoch ms; null if the store does not send it. */
  sentAtMs: number | null;
  /** What the store wants to read in the answer; nothing else by default. */
  answer?: string;
  /** The app of the project that it is about, if the store sends those of several apps to one address. */
  app?: App;
}

export interface SavedNotification extends Omit<NotificationHead, 'sentAtMs' | 'answer'> {
  id: string;
  app: App;
  body: Buffer;
  receivedAtMs: number;
  /** Number of earlier attempts. */
  attempts: number;
}

/** `ignored_unknown_purchase`: processed once a customer posts the purchase; `ignored_type`: needs no action. */
export type NotificationOutcome = 'processed' | 'ignored_type' | 'ignored_unknown_purchase';

/** The store sends its notifications without signatures because signing is switched off there. */
export class UnsignedNotification extends ApiError {
  constructor(message: string) {
    super('invalid_request', message, { code: 7103 });
  }
}

/** The notification could not be processed now and is retried. Developers see the message. */
export class NotificationDelayed extends Error {
  constructor(
    message: string,
    /** Wait at least this many ms, if the store named a time. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'NotificationDelayed';
  }
}

export interface NotificationSource {
  readonly store: NotifyingStore;
  readonly appTypes: readonly AppType[];
  /**
   * Verifies that the notification is from the store and for this app. Calls no store and takes milliseconds.
   * @throws ApiError 4xx for what is not genuine; nothing of it is processed. 429 and 5xx: the store sends it again
   */
  authenticate(app: App, notification: RawNotification): Promise<NotificationHead>;
  /**
   * Processes a genuine notification; may call the store. The same notification can arrive again, even after it was
   * processed, so this must be idempotent.
   * @throws NotificationDelayed, or any other error: it is retried later
   */
  process(notification: SavedNotification): Promise<NotificationOutcome>;
}
