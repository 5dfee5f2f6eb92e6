import type { AppType } from '../../platform/principal/app-types.js';

export const ALERT_CAUSES = [
  'webhook_failing',
  'destination_failing',
  'credentials_refused',
  'notifications_silent',
  'experiment_warning',
] as const;

export type AlertCause = (typeof ALERT_CAUSES)[number];

/** Subject of a problem: one webhook, one destination, one app, or one experiment. */
export interface AlertKey {
  projectId: string;
  cause: AlertCause;
  /** Id of the webhook integration, destination, app or experiment. */
  subjectId: string;
}

/** Details for the mails. Plain JSON without secrets. */
export interface AlertDetails {
  /** Name of the webhook integration, destination, app or experiment. */
  name: string;
  /** The store of the app. */
  store?: AppType;
  /** A sentence about the problem. */
  message?: string;
  /** When a store's last notification arrived, epoch ms. */
  lastHeardAtMs?: number;
}
