import type { Store } from '../../../../libs/engine/index.js';
import type { Catalog } from '../../../catalog/snapshot/catalog.model.js';
import type { OwnedSubscription } from './customer-purchases.js';

/** The store's page where customers change or cancel a subscription; null if there is none. */
export function managementUrl({ subscription, state }: OwnedSubscription, catalog: Catalog): string | null {
  switch (subscription.store) {
    case 'app_store':
    case 'mac_app_store':
      return 'https://apps.apple.com/account/subscriptions';
    case 'play_store': {
      const page = 'https://play.google.com/store/account/subscriptions';
      const packageName = catalog.apps.get(subscription.appId ?? '')?.packageName;
      const query = { sku: state.storeProductId, package: packageName ?? '' };
      return packageName ? `${page}?${new URLSearchParams(query).toString()}` : page;
    }
    case 'amazon':
      return 'https://www.amazon.com/gp/mas/your-account/myapps/yoursubscriptions/ref=mas_ya_subs';
    case 'roku':
      return 'https://my.roku.com/account/subscriptions';
    case 'paddle':
      return subscription.facts.renewal?.value.managementUrl ?? null;
    case 'stripe':
    case 'rc_billing':
    case 'promotional':
    case 'test_store':
      return null;
  }
}

/** Pages of a customer whose active subscriptions are managed in several places. */
export interface StoreUrls {
  /** The URL in the prepared answer. */
  shown: string;
  byStore: Partial<Record<Store, string>>;
}

/**
 * The customer's page for managing subscriptions; `storeUrls` is null if the reader's store makes no
 * difference.
 */
export interface CustomerManagement {
  url: string | null;
  storeUrls: StoreUrls | null;
}

/** The page of the active subscription that lasts longest; renewing subscriptions come first. */
export function customerManagement(subscriptions: OwnedSubscription[], catalog: Catalog): CustomerManagement {
  const renews = ({ state }: OwnedSubscription): boolean => state.autoRenewalStatus === 'will_renew';
  const end = ({ state }: OwnedSubscription): number => state.accessEndsAtMs ?? Number.MAX_SAFE_INTEGER;
  const running = subscriptions
    .filter(({ state }) => state.givesAccess)
    .sort((a, b) => Number(renews(b)) - Number(renews(a)) || end(b) - end(a))
    .flatMap((owned) => {
      const url = managementUrl(owned, catalog);
      return url === null ? [] : [{ store: owned.subscription.store, url }];
    });
  const [first] = running;
  if (!first || running.every(({ url }) => url === first.url)) {
    return { url: first?.url ?? null, storeUrls: null };
  }
  const byStore: StoreUrls['byStore'] = {};
  for (const { store, url } of running) byStore[store] ??= url;
  return { url: first.url, storeUrls: { shown: first.url, byStore } };
}

/** A prepared answer with the page of the first of the reader's `stores` that has an active subscription. */
export function withStoreUrl<Parts extends { subscriber: string; storeUrls: StoreUrls | null }>(
  parts: Parts,
  stores: readonly Store[],
): Parts {
  const { subscriber, storeUrls } = parts;
  const wanted = stores.flatMap((store) => storeUrls?.byStore[store] ?? [])[0];
  if (!storeUrls || wanted === undefined) return parts;
  // The customer's own page is preferred to those of single subscriptions.
  const field = (url: string): string => `"management_url":${JSON.stringify(url)}`;
  return { ...parts, subscriber: subscriber.replace(field(storeUrls.shown), () => field(wanted)) };
}
