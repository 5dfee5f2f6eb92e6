import type { App } from '../../catalog/apps/app.entity.js';
import type { AppType } from '../../platform/principal/app-types.js';

/** Stores that send notifications, as they stand in the address: `/v1/notifications/<store>/<app id>`. */
export const notifyingStores = ['apple', 'google', 'amazon', 'stripe', 'paddle', 'roku'] as const;
export type NotifyingStore = (typeof notifyingStores)[number];

/** A notification as it came in. */
export interface RawNotification {
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** What a genuine notification says of itself. */
export interface NotificationHead {
  /** The store's own id of it: the same key again is a repetition. */
  dedupeKey: string;
  /** Type and subtype in the store's words; null where it has none. */
  kind: string | null;
  subkind: string | null;
  environment: 'production' | 'sandbox' | null;
  /** Subscription or purchase key of what it is about; null when the notification alone does not tell. */
  subject: string | null;
  /** Epoch ms; null when the store does not say. */
  sentAtMs: number | null;
}

/** A notification of the inbox that this process works on. */
export interface SavedNotification extends Omit<NotificationHead, 'sentAtMs'> {
  id: string;
  app: App;
  body: Buffer;
  receivedAtMs: number;
  /** How often it was tried before. */
  attempts: number;
}

/**
 * `ignored_unknown_purchase`: kept, and taken up again when somebody posts the purchase it is about;
 * `ignored_type`: there is nothing to do about notifications like it.
 */
export type NotificationOutcome = 'processed' | 'ignored_type' | 'ignored_unknown_purchase';

/** The notification could not be processed now; it is tried again. The message is shown to developers. */
export class NotificationDelayed extends Error {
  constructor(
    message: string,
    /** Not before so many ms, when the store named a time. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'NotificationDelayed';
  }
}

/** One store as the inbox knows it. */
export interface NotificationSource {
  readonly store: NotifyingStore;
  readonly appTypes: readonly AppType[];
  /**
   * Makes sure that the notification is the store's and for this app. Calls no store and takes milliseconds.
   * @throws ApiError 4xx for what is not genuine; nothing of it is processed. 429 and 5xx: the store sends it again
   */
  authenticate(app: App, notification: RawNotification): Promise<NotificationHead>;
  /**
   * Does what a genuine notification asks for; may call the store. The same notification can come again, also
   * after it was processed: doing it twice must change nothing.
   * @throws NotificationDelayed, or any other error: it is tried again later
   */
  process(notification: SavedNotification): Promise<NotificationOutcome>;
}
