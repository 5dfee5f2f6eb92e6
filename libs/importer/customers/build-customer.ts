import type { ImportCustomer, ImportPurchase } from '../customer-item.js';
import type { SourceProduct, SourcePurchase } from '../source/source.model.js';
import type { IdMap, SkippedItem } from '../state/state.model.js';
import { buildSubscription, isLeftOut, type LeftOut, withoutUnknown } from './build-subscription.js';
import type { CustomerDetails } from './customer-details.js';

/** Maps the source's ids to those of an import item. */
export interface ItemContext {
  /** Maps source app ids to app ids here. */
  apps: IdMap;
  products: ReadonlyMap<string, SourceProduct>;
  /** Returns a store's only app here; undefined if there are none or several. */
  appOfStore(store: string): string | undefined;
  offeringKey(sourceId: string | null | undefined): string | undefined;
  environment: 'production' | 'sandbox' | 'both';
}

export interface BuiltCustomer {
  item: ImportCustomer;
  skipped: SkippedItem[];
  /** Ids of other customers that the source mentions. */
  mentioned: string[];
}

export function buildCustomer(details: CustomerDetails, context: ItemContext): BuiltCustomer {
  const { customer, aliases, attributes, balances, subscriber } = details;
  const skipped: SkippedItem[] = [];
  const kept = <T extends object>(kind: string, id: string, item: T | LeftOut): T[] => {
    if (!isLeftOut(item)) return [item];
    skipped.push({ kind, id, reason: item.reason });
    return [];
  };
  const subscriptions = details.subscriptions
    .filter(({ environment }) => isWanted(environment, context))
    .flatMap((subscription) =>
      kept('subscription', subscription.id, buildSubscription(subscription, details, context)),
    );
  const purchases = details.purchases
    .filter(({ environment }) => isWanted(environment, context))
    .flatMap((purchase) => kept('purchase', purchase.id, buildPurchase(purchase, context)));
  const purchaseDate = subscriber?.original_purchase_date
    ? Date.parse(subscriber.original_purchase_date)
    : NaN;
  const item = withoutUnknown<ImportCustomer>({
    id: customer.id,
    aliases: aliases.map(({ id }) => id),
    first_seen_at: customer.first_seen_at ?? undefined,
    last_seen_at: customer.last_seen_at ?? undefined,
    attributes: attributes.map(({ name, value, updated_at }) => ({ name, value, updated_at })),
    subscriptions,
    purchases,
    virtual_currencies:
      balances.length > 0
        ? Object.fromEntries(balances.map(({ currency_code: code, balance }) => [code, Math.max(0, balance)]))
        : undefined,
    original_application_version: subscriber?.original_application_version ?? undefined,
    original_purchase_date: Number.isNaN(purchaseDate) ? undefined : purchaseDate,
  });
  const own = new Set([customer.id, ...(item.aliases ?? [])]);
  const mentioned = [...details.subscriptions, ...details.purchases]
    .flatMap(({ customer_id: owner, original_customer_id: first }) => [owner, first])
    .filter((id) => id && !own.has(id));
  return { item, skipped, mentioned: [...new Set(mentioned)] };
}

function isWanted(environment: string, { environment: wanted }: ItemContext): boolean {
  return wanted === 'both' || environment === wanted;
}

function buildPurchase(purchase: SourcePurchase, context: ItemContext): ImportPurchase | LeftOut {
  const product = context.products.get(purchase.product_id);
  if (!product) return { reason: 'the source does not know its product' };
  const appId = context.apps[product.app_id];
  if (appId === undefined) return { reason: 'its app was not created' };
  return withoutUnknown<ImportPurchase>({
    app_id: appId,
    store: purchase.store as ImportPurchase['store'],
    product_identifier: product.store_identifier,
    purchased_at: purchase.purchased_at,
    store_purchase_identifier: purchase.store_purchase_identifier,
    status: purchase.status as ImportPurchase['status'],
    environment: purchase.environment as ImportPurchase['environment'],
    quantity: purchase.quantity,
    ownership: purchase.ownership as ImportPurchase['ownership'],
    country: purchase.country || undefined,
    presented_offering_id: context.offeringKey(purchase.presented_offering_id),
    type: product.type as ImportPurchase['type'],
  });
}
