import { type ConnectApi, type ConnectPage } from './connect-api.js';
import { ConnectCallFailed } from './connect-call-failed.js';
import { type JsonRecord, objectOf, objectsOf, textOf } from './json-values.js';
import { type ListedProduct, type ListedState, readPages, sortedListing } from './listed-product.js';
import { repeated } from './periods.js';

const PAGE = '200';
/** Apple's limit of related resources on a page. */
const MAX_RELATED = '50';
const TERRITORY = 'USA';
/** Each price takes a call of its own, and Apple allows 3,600 calls an hour. Further products have no price. */
const MAX_PRICED = 200;
const CALLS_AT_ONCE = 5;

const periods: Record<string, string> = {
  THREE_DAYS: 'P3D',
  ONE_WEEK: 'P1W',
  TWO_WEEKS: 'P2W',
  ONE_MONTH: 'P1M',
  TWO_MONTHS: 'P2M',
  THREE_MONTHS: 'P3M',
  SIX_MONTHS: 'P6M',
  ONE_YEAR: 'P1Y',
};

const types: Record<string, ListedProduct['type']> = {
  CONSUMABLE: 'consumable',
  NON_CONSUMABLE: 'non_consumable',
  NON_RENEWING_SUBSCRIPTION: 'non_renewing_subscription',
};

/** A product of App Store Connect with the id by which its price is asked for. */
interface ConnectProduct {
  connectId: string;
  product: ListedProduct;
}

function stateOf(value: unknown): Pick<ListedProduct, 'state' | 'storeState'> {
  const storeState = textOf(value) ?? 'UNKNOWN';
  const isRemoved = storeState.endsWith('REMOVED_FROM_SALE');
  const state: ListedState = storeState === 'APPROVED' ? 'active' : isRemoved ? 'inactive' : 'draft';
  return { state, storeState };
}

function periodIn(value: unknown): string | null {
  return periods[textOf(value) ?? ''] ?? null;
}

function relatedIds(resource: JsonRecord, name: string): Set<unknown> {
  const { data } = objectOf(objectOf(resource.relationships)[name]);
  const items = Array.isArray(data) ? objectsOf(data) : [objectOf(data)];
  return new Set(items.map(({ id }) => id));
}

/** Length of the free trial among the introductory offers, which may differ by country. */
function trialOf(subscription: JsonRecord, included: JsonRecord[]): string | null {
  const own = relatedIds(subscription, 'introductoryOffers');
  const offers = included.filter(({ type, id }) => type === 'subscriptionIntroductoryOffers' && own.has(id));
  const free = offers
    .map(({ attributes }) => objectOf(attributes))
    .find((one) => one.offerMode === 'FREE_TRIAL');
  return free ? repeated(periodIn(free.duration), Number(free.numberOfPeriods ?? 1)) : null;
}

function productOf(
  { id, attributes }: JsonRecord,
  terms: Pick<ListedProduct, 'type' | 'duration' | 'trialDuration'>,
): ConnectProduct[] {
  const { productId, name, state } = objectOf(attributes);
  const [connectId, storeIdentifier] = [textOf(id), textOf(productId)];
  if (connectId === null || storeIdentifier === null) return [];
  const product = {
    storeIdentifier,
    parentIdentifier: null,
    displayName: textOf(name),
    price: null,
    ...terms,
    ...stateOf(state),
    offers: [],
  };
  return [{ connectId, product }];
}

function subscriptionsIn({ items, included }: ConnectPage): ConnectProduct[] {
  return items.flatMap((item) => {
    const duration = periodIn(objectOf(item.attributes).subscriptionPeriod);
    return productOf(item, { type: 'subscription', duration, trialDuration: trialOf(item, included) });
  });
}

function inAppPurchaseOf(item: JsonRecord): ConnectProduct[] {
  const type = types[textOf(objectOf(item.attributes).inAppPurchaseType) ?? ''] ?? 'one_time';
  return productOf(item, { type, duration: null, trialDuration: null });
}

/** The price that new customers pay on a day (`YYYY-MM-DD`): neither a future one nor one kept for earlier buyers. */
export function currentPrice({ items, included }: ConnectPage, day: string): ListedProduct['price'] {
  const running = items.filter(({ attributes }) => {
    const { startDate, endDate, preserved } = objectOf(attributes);
    return preserved !== true && (textOf(startDate) ?? '') <= day && (textOf(endDate) ?? '9999') > day;
  });
  const startOf = ({ attributes }: JsonRecord): string => textOf(objectOf(attributes).startDate) ?? '';
  const [newest] = running.sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  if (!newest) return null;
  const related = (name: string): JsonRecord => {
    const ids = relatedIds(newest, name);
    return objectOf(included.find(({ id }) => ids.has(id))?.attributes);
  };
  const point = { ...related('inAppPurchasePricePoint'), ...related('subscriptionPricePoint') };
  const currency = textOf(related('territory').currency);
  const amount = Number(textOf(point.customerPrice) ?? 'none');
  return currency === null || !Number.isFinite(amount)
    ? null
    : { amountMicros: Math.round(amount * 1_000_000), currency };
}

/** Runs `work` for all items, some at once. */
async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const workers = Array.from({ length: CALLS_AT_ONCE }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  });
  await Promise.all(workers);
  return results;
}

/** Apple has no prices for a product without one: that is an empty list, or 404. */
async function priceAt(
  api: ConnectApi,
  path: string,
  point: string,
  day: string,
): Promise<ListedProduct['price']> {
  const query = { 'filter[territory]': TERRITORY, include: `${point},territory`, limit: PAGE };
  try {
    return currentPrice(await api.page(path, query), day);
  } catch (error) {
    if (error instanceof ConnectCallFailed && error.failure === 'unknown') return null;
    throw error;
  }
}

async function withPrice(
  api: ConnectApi,
  { connectId, product }: ConnectProduct,
  day: string,
): Promise<ListedProduct> {
  const id = encodeURIComponent(connectId);
  if (product.type === 'subscription') {
    return {
      ...product,
      price: await priceAt(api, `/v1/subscriptions/${id}/prices`, 'subscriptionPricePoint', day),
    };
  }
  // The price schedule has the id of its in-app purchase. Apple derives the prices outside the base territory.
  const schedule = `/v1/inAppPurchasePriceSchedules/${id}`;
  const point = 'inAppPurchasePricePoint';
  const price =
    (await priceAt(api, `${schedule}/manualPrices`, point, day)) ??
    (await priceAt(api, `${schedule}/automaticPrices`, point, day));
  return { ...product, price };
}

async function appIdOf(api: ConnectApi, bundleId: string): Promise<string> {
  const query = { 'filter[bundleId]': bundleId, 'fields[apps]': 'bundleId', limit: PAGE };
  const apps = await readPages((after) => api.page('/v1/apps', query, after));
  // The filter also matches longer bundle ids.
  const app = apps.find(({ attributes }) => objectOf(attributes).bundleId === bundleId);
  const id = textOf(app?.id);
  if (id === null) {
    throw new ConnectCallFailed(
      'refused',
      `App Store Connect has no app with the bundle_id ${JSON.stringify(bundleId)} that the API key may see.`,
    );
  }
  return encodeURIComponent(id);
}

async function productsOf(api: ConnectApi, appId: string): Promise<ConnectProduct[]> {
  const groups = await readPages((after) =>
    api.page(
      `/v1/apps/${appId}/subscriptionGroups`,
      { 'fields[subscriptionGroups]': 'referenceName', limit: PAGE },
      after,
    ),
  );
  const subscriptions = await forAll(groups, (group) => {
    const path = `/v1/subscriptionGroups/${encodeURIComponent(String(group.id))}/subscriptions`;
    const query = { include: 'introductoryOffers', 'limit[introductoryOffers]': MAX_RELATED, limit: PAGE };
    return readPages(async (after) => {
      const page = await api.page(path, query, after);
      return { items: subscriptionsIn(page), next: page.next };
    });
  });
  const purchases = await readPages((after) =>
    api.page(`/v1/apps/${appId}/inAppPurchasesV2`, { limit: PAGE }, after),
  );
  return [...subscriptions.flat(), ...purchases.flatMap(inAppPurchaseOf)];
}

/**
 * `day` (`YYYY-MM-DD`) also reads the prices of the first products on that day; null leaves prices out.
 * @throws ConnectCallFailed, TooManyListed
 */
export async function listAppStoreProducts(
  api: ConnectApi,
  bundleId: string,
  day: string | null,
): Promise<ListedProduct[]> {
  const found = await productsOf(api, await appIdOf(api, bundleId));
  if (day === null) return sortedListing(found.map(({ product }) => product));
  const priced = await forAll(found.slice(0, MAX_PRICED), (one) => withPrice(api, one, day));
  return sortedListing([...priced, ...found.slice(MAX_PRICED).map(({ product }) => product)]);
}
