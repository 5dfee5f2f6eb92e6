import type { AppType } from '../../platform/principal/app-types.js';

export const ALERT_CAUSES = [
  'webhook_failing',
  'destination_failing',
  'credentials_refused',
  'notifications_silent',
  'experiment_warning',
  'sql_user_blocked',
  'export_failing',
  'export_destination_added',
] as const;

export type AlertCause = (typeof ALERT_CAUSES)[number];

/** Subject of a problem: one webhook, destination, app, experiment, SQL user or export. */
export interface AlertKey {
  projectId: string;
  cause: AlertCause;
  /** Id of the subject. */
  subjectId: string;
}

/** Details for the mails. Plain JSON without secrets. */
export interface AlertDetails {
  /** Name of the subject. */
  name: string;
  /** The store of the app. */
  store?: AppType;
  /** A sentence about the problem. */
  message?: string;
  /** When a store's last notification arrived, epoch ms. */
  lastHeardAtMs?: number;
}
