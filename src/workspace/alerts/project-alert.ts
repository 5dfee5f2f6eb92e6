import type { AppType } from '../../platform/principal/app-types.js';

export type AlertCause = 'webhook_failing' | 'credentials_refused' | 'notifications_silent';

/** What a problem is about: one webhook, or one app. */
export interface AlertKey {
  projectId: string;
  cause: AlertCause;
  /** The webhook integration or the app. */
  subjectId: string;
}

/** For the mails. Plain JSON without secrets. */
export interface AlertDetails {
  /** Of the webhook integration or the app. */
  name: string;
  /** The store of the app. */
  store?: AppType;
  /** A sentence on what went wrong. */
  message?: string;
  /** When a store's last notification arrived, epoch ms. */
  lastHeardAtMs?: number;
}
