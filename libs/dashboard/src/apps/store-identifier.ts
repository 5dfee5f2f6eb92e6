import type { App, AppType } from './apps.queries.js';

/** The field of an app's identifier in its store; null if it has none. */
export const identifierFieldOf = (type: AppType): 'bundle_id' | 'package_name' | null => {
  if (type === 'app_store' || type === 'mac_app_store') return 'bundle_id';
  return type === 'play_store' || type === 'amazon' ? 'package_name' : null;
};

/** The app's identifier in the store: bundle id, package name, account. */
export function storeIdentifierOf(app: App): string | null {
  const { app_store: apple = app.mac_app_store, play_store: google = app.amazon, roku, stripe } = app;
  return (
    apple?.bundle_id ?? google?.package_name ?? roku?.roku_channel_id ?? stripe?.stripe_account_id ?? null
  );
}
