import type { Schema } from '../api/types.js';

type Entitlement = Schema<'EntitlementDto'>;
type Product = Schema<'ProductDto'>;
type Offering = Schema<'OfferingDto'>;
type Package = Schema<'PackageDto'>;

/** The catalog of one app in a project. */
export interface Catalog {
  /** Only that app's products. */
  products: Product[];
  /** Includes their products. */
  entitlements: Entitlement[];
  /** Includes their packages and products. */
  offerings: Offering[];
}

export const sample = {
  entitlement: { lookup_key: 'pro', display_name: 'Pro' },
  monthly: {
    store_identifier: 'pro_monthly',
    display_name: 'Pro, monthly',
    subscription: { duration: 'P1M' },
    test_store_price: { amount_micros: 9_990_000, currency: 'USD' },
  },
  yearly: {
    store_identifier: 'pro_yearly',
    display_name: 'Pro, yearly',
    subscription: { duration: 'P1Y' },
    test_store_price: { amount_micros: 59_990_000, currency: 'USD' },
  },
  offering: { lookup_key: 'default', display_name: 'Standard' },
  monthlyPackage: { lookup_key: '$rc_monthly', display_name: 'Monthly' },
  yearlyPackage: { lookup_key: '$rc_annual', display_name: 'Yearly' },
} as const;

/** The calls in order; later ones need objects that earlier ones created. */
export const sampleSteps = [
  'entitlement',
  'monthly',
  'yearly',
  'unlock',
  'offering',
  'monthlyPackage',
  'monthlyInPackage',
  'yearlyPackage',
  'yearlyInPackage',
] as const;
export type SampleStep = (typeof sampleSteps)[number];

export interface FoundSample {
  entitlement: Entitlement | undefined;
  monthly: Product | undefined;
  yearly: Product | undefined;
  offering: Offering | undefined;
  monthlyPackage: Package | undefined;
  yearlyPackage: Package | undefined;
}

/** Returns the existing parts of the sample, created here or manually. */
export function findSample({ products, entitlements, offerings }: Catalog): FoundSample {
  const product = (id: string) => products.find(({ store_identifier: known }) => known === id);
  const offering = offerings.find(({ lookup_key: key }) => key === sample.offering.lookup_key);
  const packageOf = (key: string) => offering?.packages?.items.find(({ lookup_key: known }) => known === key);
  return {
    entitlement: entitlements.find(({ lookup_key: key }) => key === sample.entitlement.lookup_key),
    monthly: product(sample.monthly.store_identifier),
    yearly: product(sample.yearly.store_identifier),
    offering,
    monthlyPackage: packageOf(sample.monthlyPackage.lookup_key),
    yearlyPackage: packageOf(sample.yearlyPackage.lookup_key),
  };
}

/** Returns the sample's products that the entitlement lacks. */
export function lockedProducts({ entitlement, monthly, yearly }: FoundSample): string[] {
  const unlocking = new Set(entitlement?.products?.items.map(({ id }) => id));
  return [monthly, yearly].flatMap((product) => (product && !unlocking.has(product.id) ? [product.id] : []));
}

const isIn = (product: Product | undefined, holder: Package | undefined): boolean =>
  product !== undefined &&
  (holder?.products?.items.some(({ product: { id } }) => id === product.id) ?? false);

/** Returns the calls that are not needed. */
export function doneSteps(catalog: Catalog): Set<SampleStep> {
  const found = findSample(catalog);
  const { entitlement, monthly, yearly, offering, monthlyPackage, yearlyPackage } = found;
  const done: Record<SampleStep, boolean> = {
    entitlement: entitlement !== undefined,
    monthly: monthly !== undefined,
    yearly: yearly !== undefined,
    unlock: Boolean(entitlement && monthly && yearly) && lockedProducts(found).length === 0,
    offering: offering !== undefined,
    monthlyPackage: monthlyPackage !== undefined,
    monthlyInPackage: isIn(monthly, monthlyPackage),
    yearlyPackage: yearlyPackage !== undefined,
    yearlyInPackage: isIn(yearly, yearlyPackage),
  };
  return new Set(sampleSteps.filter((step) => done[step]));
}

/** Whether a product can be bought and unlocks something, in the sample or in the person's own catalog. */
export const isSellable = ({ products, entitlements, offerings }: Catalog): boolean =>
  products.length > 0 &&
  entitlements.length > 0 &&
  offerings.some(({ packages }) => packages?.items.some((each) => each.products?.items.length));

/** Replaces the item with the same id, or appends `item`. */
export const withItem = <Item extends { id: string }>(list: readonly Item[], item: Item): Item[] =>
  list.some(({ id }) => id === item.id)
    ? list.map((known) => (known.id === item.id ? item : known))
    : [...list, item];
