import type { ImportStatus } from '../target/target.model.js';

/** What the target, and the source if it is given, say about a migration. */
export interface PlanFacts {
  target: { url: string; project: string };
  sourceProject: string | null;
  apps: PlanApp[];
  /** Null if the key may not read it. */
  status: ImportStatus | null;
  /** Number of webhook integrations; null if the key may not read them. */
  webhooks: number | null;
  currencies: PlanCurrency[];
}

export interface PlanApp {
  id: string;
  name: string;
  type: string;
  credentialsConfigured: boolean | null;
  /** Why the store refuses the credentials. */
  credentialsError: string | null;
  /** Null: this server takes no notifications of the store. */
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
  /** Null: this server cannot know. */
  done: boolean | null;
  detail: string;
  command: string | null;
}
