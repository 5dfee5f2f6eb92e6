import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { AppType } from '../../platform/principal/app-types.js';

/** Stores that send notifications, as in the URL path `/v1/notifications/<store>/<app id>`. */
export const notifyingStores = ['apple', 'google', 'amazon', 'stripe', 'paddle', 'roku'] as const;
export type NotifyingStore = (typeof notifyingStores)[number];

export interface RawNotification {
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface NotificationHead {
  /** The store's id of the notification; a repeated key is a duplicate. */
  dedupeKey: string;
  /** The store's type and subtype; null if it has none. */
  kind: string | null;
  subkind: string | null;
  environment: 'production' | 'sandbox' | null;
  /** Key of the subscription or purchase; null if the notification does not contain it. */
  subject: string | null;
  /** Epoch ms; null if the store does not send it. */
  sentAtMs: number | null;
  /** The body contains a secret, so it is stored sealed. */
  isSecret?: boolean;
  /** Response text that the store expects; none by default. */
  answer?: string;
  /** The project's app that it concerns, if the store sends notifications of several apps to one address. */
  app?: App;
}

export interface SavedNotification extends Omit<NotificationHead, 'sentAtMs' | 'answer' | 'isSecret'> {
  id: string;
  app: App;
  body: Buffer;
  receivedAtMs: number;
  /** Number of earlier attempts. */
  attempts: number;
}

/** `ignored_unknown_purchase`: processed once a customer posts the purchase; `ignored_type`: needs no action. */
export type NotificationOutcome = 'processed' | 'ignored_type' | 'ignored_unknown_purchase';

/** The store sends unsigned notifications because signing is disabled there. */
export class UnsignedNotification extends ApiError {
  constructor(message: string) {
    super('invalid_request', message, { code: 7103 });
  }
}

/** The notification could not be processed now and is retried. Developers see the message. */
export class NotificationDelayed extends Error {
  constructor(
    message: string,
    /** Wait at least this many ms. Null if the store named no time. */
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
   * @throws ApiError 4xx if it is not genuine; none of it is processed. After 429 or 5xx the store resends it
   */
  authenticate(app: App, notification: RawNotification): Promise<NotificationHead>;
  /**
   * Processes a genuine notification; may call the store. Must be idempotent, because the same notification can arrive
   * again, even after it was processed.
   * @throws NotificationDelayed, or any other error: it is retried later
   */
  process(notification: SavedNotification): Promise<NotificationOutcome>;
}
