import type { PlayApi } from '../google/play-api.js';
import { type Money, moneyOf } from '../google/play-resources.js';
import { type JsonRecord, objectOf, objectsOf, textOf } from './json-values.js';
import { type ListedProduct, type ListedState, readPages, sortedListing } from './listed-product.js';
import { repeated } from './periods.js';

const HOME = 'US';
/** A base plan has up to 50 offers. */
const MAX_OFFERS = 20_000;

const states: Record<string, ListedState> = { ACTIVE: 'active', DRAFT: 'draft' };

function stateOf(value: unknown): Pick<ListedProduct, 'state' | 'storeState'> {
  const storeState = textOf(value) ?? 'STATE_UNSPECIFIED';
  return { state: states[storeState] ?? 'inactive', storeState };
}

/** Title in English if there is one, else in the first language. */
function titleOf({ listings }: JsonRecord): string | null {
  const all = objectsOf(listings);
  const english = all.find(({ languageCode }) => textOf(languageCode)?.startsWith('en'));
  return textOf((english ?? all[0])?.title);
}

function listPrice(configs: unknown): ListedProduct['price'] {
  const priced = objectsOf(configs).filter(({ price }) => price !== undefined);
  const config = priced.find(({ regionCode }) => regionCode === HOME) ?? priced[0];
  return moneyOf(config?.price as Money | undefined);
}

function basePlanPeriod(plan: JsonRecord): string | null {
  const kinds = [plan.autoRenewingBasePlanType, plan.prepaidBasePlanType, plan.installmentsBasePlanType];
  return repeated(kinds.flatMap((kind) => textOf(objectOf(kind).billingPeriodDuration) ?? [])[0] ?? null);
}

function isFree({ regionalConfigs, otherRegionsConfig }: JsonRecord): boolean {
  return [...objectsOf(regionalConfigs), objectOf(otherRegionsConfig)].some(({ free }) => free !== undefined);
}

/** Length of the first free phase among the offers; null without a free trial. */
function trialOf(offers: JsonRecord[]): string | null {
  const phase = offers.flatMap(({ phases }) => objectsOf(phases)).find(isFree);
  return phase ? repeated(textOf(phase.duration), Number(phase.recurrenceCount ?? 1)) : null;
}

/** The base plans of a subscription. `offers` are those on sale, by identifier of the base plan. */
function basePlansOf(subscription: JsonRecord, offers: Map<string, JsonRecord[]>): ListedProduct[] {
  const productId = textOf(subscription.productId);
  const plans = objectsOf(subscription.basePlans);
  const title = titleOf(subscription);
  return plans.flatMap((plan) => {
    const planId = textOf(plan.basePlanId);
    if (productId === null || planId === null) return [];
    const storeIdentifier = `${productId}:${planId}`;
    const own = offers.get(storeIdentifier) ?? [];
    return {
      storeIdentifier,
      parentIdentifier: productId,
      type: 'subscription',
      displayName: plans.length > 1 && title !== null ? `${title} (${planId})` : title,
      duration: basePlanPeriod(plan),
      trialDuration: trialOf(own),
      price: listPrice(plan.regionalConfigs),
      ...stateOf(plan.state),
      offers: own.flatMap(({ offerId }) => textOf(offerId) ?? []),
    };
  });
}

/** A product is as far as its furthest purchase option. It is a rental only if nothing else can be bought. */
function oneTimeProductOf(product: JsonRecord): ListedProduct[] {
  const storeIdentifier = textOf(product.productId);
  if (storeIdentifier === null) return [];
  const options = objectsOf(product.purchaseOptions);
  const best = ['ACTIVE', 'DRAFT'].flatMap((state) => options.filter((option) => option.state === state));
  const option = best[0] ?? options[0] ?? {};
  const onSale = best.filter(({ state }) => state === option.state);
  const isRental = onSale.length > 0 && onSale.every(({ rentOption }) => rentOption !== undefined);
  return [
    {
      storeIdentifier,
      parentIdentifier: null,
      type: 'one_time',
      displayName: titleOf(product),
      duration: isRental ? repeated(textOf(objectOf(option.rentOption).rentalPeriod)) : null,
      trialDuration: null,
      price: listPrice(option.regionalPricingAndAvailabilityConfigs),
      ...stateOf(option.state),
      offers: [],
    },
  ];
}

function byBasePlan(offers: JsonRecord[]): Map<string, JsonRecord[]> {
  const grouped = new Map<string, JsonRecord[]>();
  for (const offer of offers) {
    if (offer.state !== 'ACTIVE') continue;
    const key = `${textOf(offer.productId)}:${textOf(offer.basePlanId)}`;
    grouped.set(key, [...(grouped.get(key) ?? []), offer]);
  }
  return grouped;
}

/** The normal form of the objects in Google's lists. */
export function googleListing(
  subscriptions: JsonRecord[],
  offers: JsonRecord[],
  oneTimeProducts: JsonRecord[],
): ListedProduct[] {
  const grouped = byBasePlan(offers);
  return sortedListing([
    ...subscriptions.flatMap((subscription) => basePlansOf(subscription, grouped)),
    ...oneTimeProducts.flatMap(oneTimeProductOf),
  ]);
}

/** @throws PlayCallFailed, TooManyListed */
export async function listGoogleProducts(api: PlayApi): Promise<ListedProduct[]> {
  const subscriptions = await readPages((after) => api.catalogPage('subscriptions', after));
  const offers =
    subscriptions.length === 0
      ? []
      : await readPages((after) => api.catalogPage('subscriptionOffers', after), MAX_OFFERS);
  const oneTimeProducts = await readPages((after) => api.catalogPage('oneTimeProducts', after));
  return googleListing(subscriptions, offers, oneTimeProducts);
}
