import type { AppType } from '../../platform/principal/app-types.js';

export type AlertCause =
  'webhook_failing' | 'credentials_refused' | 'notifications_silent' | 'experiment_warning';

/** What a problem is about: one webhook, one app, or one experiment. */
export interface AlertKey {
  projectId: string;
  cause: AlertCause;
  /** The webhook integration, the app or the experiment. */
  subjectId: string;
}

/** For the mails. Plain JSON without secrets. */
export interface AlertDetails {
  /** Of the webhook integration, the app or the experiment. */
  name: string;
  /** The store of the app. */
  store?: AppType;
  /** A sentence on what went wrong. */
  message?: string;
  /** When a store's last notification arrived, epoch ms. */
  lastHeardAtMs?: number;
}
