import type { AppType } from '../../platform/principal/app-types.js';
import type { Catalog, CatalogApp } from './catalog.model.js';
import { appForPlatform } from './platform.js';

/** A catalog of these apps, oldest first; each `product` belongs to the app of its id. */
function catalogOf(types: AppType[], products: Record<string, string> = {}): Catalog {
  const apps = new Map(types.map((type) => [type, { id: type, type } as CatalogApp]));
  const hasProduct = (appId: string, name: string): boolean => products[name] === appId;
  return { apps, hasProduct } as unknown as Catalog;
}

describe('the app of a platform', () => {
  it('picks the App Store app for a Mac, and the Mac App Store app only if there is no other', () => {
    expect(appForPlatform(catalogOf(['mac_app_store', 'app_store']), 'macOS').type).toBe('app_store');
    expect(appForPlatform(catalogOf(['mac_app_store']), 'macOS').type).toBe('mac_app_store');
  });

  it('picks the one that has the product', () => {
    const catalog = catalogOf(['app_store', 'mac_app_store'], { pro_mac: 'mac_app_store' });
    expect(appForPlatform(catalog, 'macos', 'pro_mac').type).toBe('mac_app_store');
    expect(appForPlatform(catalog, 'macos', 'other').type).toBe('app_store');
  });
});
