import { isSameDuration, type ListedProduct } from '../../../libs/stores/index.js';
import type { Product } from '../../catalog/products/product.entity.js';

export const comparedFields = ['type', 'duration', 'state'] as const;

export interface Difference {
  product: Product;
  field: (typeof comparedFields)[number];
  here: string | null;
  inStore: string | null;
}

export interface ListingComparison {
  /** On sale, or prepared for sale, without a product here that represents them. */
  missingHere: ListedProduct[];
  /** Active here, with an identifier that the store does not have. */
  missingInStore: Product[];
  different: Difference[];
}

/** Products here by store identifier. */
export type ProductsHere = ReadonlyMap<string, Product>;

export function productsHere(products: readonly Product[]): ProductsHere {
  return new Map(products.map((product) => [product.storeIdentifier, product]));
}

/** A store that does not say whether a one-time product is consumable reports `one_time`. */
function isSameType(here: Product['type'], inStore: Product['type']): boolean {
  const isVague = (type: Product['type']): boolean => type === 'one_time';
  const isOneTime = (type: Product['type']): boolean => type !== 'subscription';
  if (isVague(here) || isVague(inStore)) return isOneTime(here) && isOneTime(inStore);
  return here === inStore;
}

/** The value that all have; undefined if they differ. */
function common<Value>(
  values: Value[],
  isSame: (a: Value, b: Value) => boolean = Object.is,
): Value | undefined {
  const [first] = values;
  return values.every((value) => isSame(value, first as Value)) ? first : undefined;
}

/**
 * Differences of one product. `listed` are the products of the store that it represents: several if its identifier is
 * that of their parent.
 */
function differencesOf(product: Product, listed: ListedProduct[]): Difference[] {
  const found: Difference[] = [];
  const add = (field: Difference['field'], here: string | null, inStore: string | null): void => {
    found.push({ product, field, here, inStore });
  };
  const onSale = listed.filter(({ state }) => state !== 'inactive');
  const type = common((onSale.length > 0 ? onSale : listed).map((one) => one.type));
  if (type !== undefined && !isSameType(product.type, type)) add('type', product.type, type);
  else if (type === 'subscription') {
    const duration = common(
      onSale.map((one) => one.duration),
      isSameDuration,
    );
    if (duration !== undefined && duration !== null && !isSameDuration(product.duration, duration))
      add('duration', product.duration, duration);
  }
  const isSold = listed.some(({ state }) => state === 'active');
  if (product.state === 'active' && onSale.length === 0) add('state', 'active', 'inactive');
  if (product.state === 'inactive' && isSold) add('state', 'inactive', 'active');
  return found;
}

/** Compares the products of an app with those of its store. */
export function compareListing(
  products: readonly Product[],
  listing: readonly ListedProduct[],
): ListingComparison {
  const here = productsHere(products);
  const inStore = new Map<string, ListedProduct[]>();
  const add = (identifier: string, listed: ListedProduct): void =>
    void inStore.set(identifier, [...(inStore.get(identifier) ?? []), listed]);
  for (const listed of listing) {
    add(listed.storeIdentifier, listed);
    // A product of its own wins over that of the parent.
    if (listed.parentIdentifier !== null && !here.has(listed.storeIdentifier))
      add(listed.parentIdentifier, listed);
  }
  const parents = new Set(listing.map(({ parentIdentifier }) => parentIdentifier));
  const isUnknown = ({ storeIdentifier: name }: Product): boolean => !inStore.has(name) && !parents.has(name);
  return {
    missingHere: listing.filter(
      ({ storeIdentifier, parentIdentifier, state }) =>
        state !== 'inactive' &&
        !here.has(storeIdentifier) &&
        (parentIdentifier === null || !here.has(parentIdentifier)),
    ),
    missingInStore: products.filter((product) => product.state === 'active' && isUnknown(product)),
    different: products.flatMap((product) => {
      const listed = inStore.get(product.storeIdentifier);
      return listed ? differencesOf(product, listed) : [];
    }),
  };
}
