import type { StoreProduct } from '../contract.js';

/** `draft`: not on sale yet; `inactive`: no longer on sale. */
export const listedStates = ['active', 'draft', 'inactive'] as const;
export type ListedState = (typeof listedStates)[number];

/** A product in the catalog of a store, in the same form for all stores. */
export interface ListedProduct {
  /** As products of this server name it. */
  storeIdentifier: string;
  /** A shorter identifier that represents this product and others: a subscription of Google Play, a Stripe product. */
  parentIdentifier: string | null;
  type: StoreProduct['type'];
  displayName: string | null;
  /** ISO 8601. */
  duration: string | null;
  trialDuration: string | null;
  /** One of many: in the United States, else in the first country that the store lists. */
  price: { amountMicros: number; currency: string } | null;
  state: ListedState;
  /** The store's own name of the state. */
  storeState: string;
  /** Ids of offers on sale, for stores that name them. */
  offers: string[];
}

/** A catalog with more products is not listed. */
export const MAX_LISTED = 5_000;

export class TooManyListed extends Error {
  constructor() {
    super(`The store has more than ${MAX_LISTED} products of this app.`);
    this.name = 'TooManyListed';
  }
}

export interface ListPage<Item> {
  items: Item[];
  /** Identifies the next page; null on the last. */
  next: string | null;
}

/** Reads all pages of a list. @throws TooManyListed if it has more than `max` items */
export async function readPages<Item>(
  read: (after: string | null) => Promise<ListPage<Item>>,
  max = MAX_LISTED,
): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | null = null;
  do {
    const { items, next }: ListPage<Item> = await read(after);
    all.push(...items);
    if (all.length > max) throw new TooManyListed();
    after = next;
  } while (after !== null);
  return all;
}

/** Sorted by identifier, which is unique. */
export function sortedListing(products: ListedProduct[]): ListedProduct[] {
  if (products.length > MAX_LISTED) throw new TooManyListed();
  const byIdentifier = new Map(products.map((product) => [product.storeIdentifier, product]));
  return [...byIdentifier.values()].sort((a, b) => (a.storeIdentifier < b.storeIdentifier ? -1 : 1));
}
