import type { Store } from '../../../libs/engine/index.js';

/**
 * Where customers manage a subscription themselves; null for stores without such a page, and for Play without
 * the package of the app.
 */
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
