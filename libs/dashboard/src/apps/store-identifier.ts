import type { App, AppType } from './apps.queries.js';

/** The field by which a store knows an app; null where it has none. */
export const identifierFieldOf = (type: AppType): 'bundle_id' | 'package_name' | null => {
  if (type === 'app_store' || type === 'mac_app_store') return 'bundle_id';
  return type === 'play_store' || type === 'amazon' ? 'package_name' : null;
};

/** How the store names an app: bundle id, package name, account. */
export function storeIdentifierOf(app: App): string | null {
  const { app_store: apple = app.mac_app_store, play_store: google = app.amazon, roku, stripe } = app;
  return (
    apple?.bundle_id ?? google?.package_name ?? roku?.roku_channel_id ?? stripe?.stripe_account_id ?? null
  );
}
