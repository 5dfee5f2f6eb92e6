import type { Catalog } from '../catalog/catalog.model.js';
import type { OwnedChain } from '../purchases/customer-purchases.js';

/** The page of a store where its customer changes or ends a subscription; null where there is none. */
export function managementUrl({ chain, state }: OwnedChain, catalog: Catalog): string | null {
  switch (chain.store) {
    case 'app_store':
    case 'mac_app_store':
      return 'https://apps.apple.com/account/subscriptions';
    case 'play_store': {
      const page = 'https://play.google.com/store/account/subscriptions';
      const packageName = catalog.apps.get(chain.appId ?? '')?.packageName;
      const query = { sku: state.storeProductId, package: packageName ?? '' };
      return packageName ? `${page}?${new URLSearchParams(query).toString()}` : page;
    }
    case 'amazon':
      return 'https://www.amazon.com/gp/mas/your-account/myapps/yoursubscriptions/ref=mas_ya_subs';
    case 'roku':
      return 'https://my.roku.com/account/subscriptions';
    case 'stripe':
    case 'rc_billing':
    case 'paddle':
    case 'promotional':
    case 'test_store':
      return null;
  }
}

/** The page of the subscription that gives access now and lasts longest; one that renews goes first. */
export function customerManagementUrl(chains: OwnedChain[], catalog: Catalog): string | null {
  const renews = ({ state }: OwnedChain): boolean => state.autoRenewalStatus === 'will_renew';
  const end = ({ state }: OwnedChain): number => state.accessEndsAtMs ?? Number.MAX_SAFE_INTEGER;
  const [first] = chains
    .filter((owned) => owned.state.givesAccess && managementUrl(owned, catalog) !== null)
    .sort((a, b) => Number(renews(b)) - Number(renews(a)) || end(b) - end(a));
  return first ? managementUrl(first, catalog) : null;
}
