import type { SetupHealth } from '../frame/setup-health.queries.js';
import { type Catalog, isSellable } from './sample-catalog.js';
import type { App, RecordedEvent } from './setup.queries.js';

export type SdkVersion = SetupHealth['sdk_versions'][number];

/** The SDK that called last. */
export const latestSdk = ({ sdk_versions: versions }: SetupHealth): SdkVersion | null =>
  versions.reduce<SdkVersion | null>(
    (latest, version) => (latest && latest.last_seen_at >= version.last_seen_at ? latest : version),
    null,
  );

export interface FirstPurchase {
  eventId: string;
  product: string;
  appUserId: string;
}

/** What was bought by whom; null for events that are not about a product. */
export function purchaseIn(event: RecordedEvent | null | undefined): FirstPurchase | null {
  const product = event?.body.product_id;
  const appUserId = event?.app_user_id ?? event?.customer_id;
  if (!event || typeof product !== 'string' || !appUserId) return null;
  return { eventId: event.id, product, appUserId };
}

/** The app that the checklist is about: the chosen one, else a Test Store, else the first. */
export const appOf = (apps: readonly App[], chosen: string | undefined): App | undefined =>
  apps.find(({ id }) => id === chosen) ?? apps.find(({ type }) => type === 'test_store') ?? apps[0];

export const setupSteps = ['app', 'catalog', 'sdk', 'purchase'] as const;
export type SetupStep = (typeof setupSteps)[number];

interface Known {
  app: App | undefined;
  catalog: Catalog | undefined;
  health: SetupHealth | undefined;
  event: RecordedEvent | null | undefined;
}

/** Undefined answers count as not done yet. */
export function finishedSteps({ app, catalog, health, event }: Known): Set<SetupStep> {
  const done: Record<SetupStep, boolean> = {
    app: app !== undefined,
    catalog: catalog !== undefined && isSellable(catalog),
    sdk: health !== undefined && health.sdk_versions.length > 0,
    purchase: event !== null && event !== undefined,
  };
  return new Set(setupSteps.filter((step) => done[step]));
}

/** Those open by themselves: the first that is not done, and with the SDK the purchase that it leads to. */
export function stepsInHand(finished: ReadonlySet<SetupStep>): Set<SetupStep> {
  const first = setupSteps.find((step) => !finished.has(step));
  if (first === undefined || first === 'purchase') return new Set(['purchase']);
  return new Set(first === 'sdk' ? ['sdk', 'purchase'] : [first]);
}
