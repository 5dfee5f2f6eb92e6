import type { HintFact, SubscriptionFacts } from '../../../../libs/engine/index.js';
import type { LedgerRow, MetricEnvironment } from './plan-spans.js';

export interface ChartLedgerRow extends LedgerRow {
  customerId: string;
  isOneTime: boolean;
  currency: string | null;
  commissionBps: number;
  taxBps: number;
  country: string | null;
}

export interface ChartSubscription {
  id: string;
  customerId: string;
  store: string;
  environment: MetricEnvironment;
  storeKey: string;
  facts: SubscriptionFacts;
}

export interface ChartOneTimePurchase {
  id: string;
  customerId: string;
  hints: HintFact | null;
}

/** An enrollment of the customer in an experiment. */
export interface ChartEnrollment {
  customerId: string;
  experimentId: string;
  variant: string;
  enrolledAtMs: number;
  /** When it stopped counting for the customer; null while it counts. */
  endedAtMs: number | null;
}

export interface ChartCustomer {
  id: string;
  firstSeenAtMs: number;
  country: string | null;
  platform: string | null;
  appVersion: string | null;
  /** Values of attribution attributes, and of attributes that the project chose, by name. */
  attributes: Record<string, string>;
}

/** Reserved attributes that are dimensions of every project. */
export const attributionNames = [
  '$mediaSource',
  '$campaign',
  '$adGroup',
  '$ad',
  '$keyword',
  '$creative',
] as const;

/** Source data of charts about one customer, from the tables that purchases write. */
export interface CustomerSource {
  customer: ChartCustomer;
  /** Values of the attributes that the project chose, by name. */
  chosen: Record<string, string>;
  subscriptions: ChartSubscription[];
  oneTime: ChartOneTimePurchase[];
  enrollments: ChartEnrollment[];
  /** Ordered by record time, oldest first. */
  ledger: ChartLedgerRow[];
}

/** The catalog product of a sale. */
export interface SoldAs {
  productId: string;
  duration: string | null;
}

export type FindProduct = (appId: string, storeProductId: string) => SoldAs | null;
