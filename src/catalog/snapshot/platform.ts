import type { AppType } from '../../platform/principal/app-types.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Catalog, CatalogApp } from './catalog.model.js';

const platforms = new Map<string, AppType[]>(
  Object.entries({
    ios: ['app_store'],
    macos: ['app_store', 'mac_app_store'],
    tvos: ['app_store'],
    watchos: ['app_store'],
    visionos: ['app_store'],
    uikitformac: ['app_store'],
    android: ['play_store'],
    amazon: ['amazon'],
    stripe: ['stripe'],
    web: ['rc_billing', 'stripe'],
    roku: ['roku'],
    paddle: ['paddle'],
    test: ['test_store'],
  } satisfies Record<string, AppType[]>),
);

/** The stores of an `X-Platform`, the most likely first; empty for an unknown one. */
export function storesOfPlatform(platform: string | null | undefined): readonly AppType[] {
  return platforms.get((platform ?? '').toLowerCase()) ?? [];
}

/**
 * Returns the app for a caller with a secret key: the one for the store of `X-Platform`. Among several, the one whose
 * catalog has the product, otherwise the oldest.
 * @throws ApiError 400, code 7000, without a usable `X-Platform`
 */
export function appForPlatform(
  catalog: Catalog,
  platform: string | undefined,
  storeIdentifier?: string,
): CatalogApp {
  const stores = storesOfPlatform(platform);
  if (stores.length === 0) {
    const known = [...platforms.keys()].join(', ');
    throw new ApiError('invalid_request', `With a secret key, X-Platform must be one of ${known}.`, {
      code: 7000,
    });
  }
  const apps = stores.flatMap((store) => [...catalog.apps.values()].filter((app) => app.type === store));
  const holder = storeIdentifier && apps.find((app) => catalog.hasProduct(app.id, storeIdentifier));
  const app = holder || apps[0];
  if (!app) {
    throw new ApiError('invalid_request', `The project has no app for the platform ${platform}.`, {
      code: 7000,
    });
  }
  return app;
}
