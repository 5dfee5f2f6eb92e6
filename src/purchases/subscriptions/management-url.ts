import type { Store } from '../../../libs/engine/index.js';

/** Null for stores without a subscription management page, and for Play if the app's package is unknown. */
export function managementUrl(
  store: Store,
  storeProductId: string,
  packageName: string | undefined,
): string | null {
  if (store === 'app_store' || store === 'mac_app_store') {
    return 'https://apps.apple.com/account/subscriptions';
  }
  if (store !== 'play_store' || packageName === undefined) return null;
  const query = new URLSearchParams({ sku: storeProductId, package: packageName });
  return `https://play.google.com/store/account/subscriptions?${query.toString()}`;
}
