import type { SetupHealth } from '../frame/health/setup-health.queries.js';
import { type Catalog, isSellable } from './sample-catalog.js';
import type { App, Transaction } from './setup.queries.js';

export type SdkVersion = SetupHealth['sdk_versions'][number];

/** The SDK that called last. */
export const latestSdk = ({ sdk_versions: versions }: SetupHealth): SdkVersion | null =>
  versions.reduce<SdkVersion | null>(
    (latest, version) => (latest && latest.last_seen_at >= version.last_seen_at ? latest : version),
    null,
  );

export interface FirstPurchase {
  transactionId: string;
  product: string;
  appUserId: string;
}

/** Returns the purchase and its customer; null if the customer was deleted. */
export function purchaseIn(transaction: Transaction | null | undefined): FirstPurchase | null {
  const { product_identifier: product = null, customer_id: appUserId = null } = transaction ?? {};
  if (!transaction || product === null || appUserId === null) return null;
  return { transactionId: transaction.id, product, appUserId };
}

/** The app of the checklist: the selected one, else a Test Store, else the first. */
export const appOf = (apps: readonly App[], chosen: string | undefined): App | undefined =>
  apps.find(({ id }) => id === chosen) ?? apps.find(({ type }) => type === 'test_store') ?? apps[0];

export const setupSteps = ['app', 'catalog', 'sdk', 'purchase'] as const;
export type SetupStep = (typeof setupSteps)[number];

interface Known {
  app: App | undefined;
  catalog: Catalog | undefined;
  health: SetupHealth | undefined;
  transaction: Transaction | null | undefined;
}

/** Undefined responses count as not done yet. */
export function finishedSteps({ app, catalog, health, transaction }: Known): Set<SetupStep> {
  const done: Record<SetupStep, boolean> = {
    app: app !== undefined,
    catalog: catalog !== undefined && isSellable(catalog),
    sdk: health !== undefined && health.sdk_versions.length > 0,
    purchase: transaction !== null && transaction !== undefined,
  };
  return new Set(setupSteps.filter((step) => done[step]));
}

/** Steps that expand automatically: the first unfinished one and, with the SDK step, the purchase step. */
export function stepsInHand(finished: ReadonlySet<SetupStep>): Set<SetupStep> {
  const first = setupSteps.find((step) => !finished.has(step));
  if (first === undefined || first === 'purchase') return new Set(['purchase']);
  return new Set(first === 'sdk' ? ['sdk', 'purchase'] : [first]);
}
