import type { ImportStatus } from '../target/target.model.js';

/** Facts about a migration from the target, and from the source if given. */
export interface PlanFacts {
  target: { url: string; project: string };
  sourceProject: string | null;
  apps: PlanApp[];
  /** Null without permission to read it. */
  status: ImportStatus | null;
  /** Number of webhook integrations; null without permission to read them. */
  webhooks: number | null;
  currencies: PlanCurrency[];
}

export interface PlanApp {
  id: string;
  name: string;
  type: string;
  credentialsConfigured: boolean | null;
  /** Why the store rejects the credentials. */
  credentialsError: string | null;
  /** Null if this server does not accept the store's notifications. */
  notificationUrl: string | null;
  notificationStatus: string | null;
  forwardUrl: string | null;
  /** HTTP status of the last forwarded notification; null if there was none. */
  lastForwardStatus: number | null;
  trackNewPurchases: boolean | null;
  /** Null without a source, or if the source has no such app. */
  hasSourceKey: boolean | null;
}

export interface PlanCurrency {
  code: string;
  hasGrantsAtTarget: boolean;
  /** Null without a source. */
  hasGrantsAtSource: boolean | null;
}

export interface PlanStep {
  step: number;
  title: string;
  /** Null if this server cannot know. */
  done: boolean | null;
  detail: string;
  command: string | null;
}
