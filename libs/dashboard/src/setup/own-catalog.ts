import type { Schema } from '../api/types.js';
import type { Catalog } from './sample-catalog.js';

type Product = Schema<'ProductDto'>;

/** Objects that a first purchase needs, in the order in which they are created. */
export const ownSteps = ['product', 'entitlement', 'offering', 'package'] as const;
export type OwnStep = (typeof ownSteps)[number];

export interface OwnCatalog {
  product: Product | undefined;
  /** Unlocked by the product. */
  entitlement: Schema<'EntitlementDto'> | undefined;
  offering: Schema<'OfferingDto'> | undefined;
  /** Contains the product. */
  package: Schema<'PackageDto'> | undefined;
}

/** Returns what exists of a product, and of the objects that lead to its purchase. */
export function findOwn({ products, entitlements, offerings }: Catalog): OwnCatalog {
  const [product] = products;
  const offering = offerings.find(({ is_current: isCurrent }) => isCurrent) ?? offerings[0];
  const holds = (each: Schema<'PackageDto'>): boolean =>
    each.products?.items.some(({ product: { id } }) => id === product?.id) ?? false;
  return {
    product,
    entitlement: entitlements.find((each) => each.products?.items.some(({ id }) => id === product?.id)),
    offering,
    package: offering?.packages?.items.find(holds),
  };
}

/** The first step that is not done; undefined after the last. */
export const nextOwnStep = (own: OwnCatalog): OwnStep | undefined =>
  ownSteps.find((step) => own[step] === undefined);

/** Lookup keys and names of packages that SDKs know, by the period of the product. */
export const packageKinds = {
  P1W: { lookup_key: '$rc_weekly', display_name: 'Weekly' },
  P1M: { lookup_key: '$rc_monthly', display_name: 'Monthly' },
  P3M: { lookup_key: '$rc_three_month', display_name: 'Three months' },
  P6M: { lookup_key: '$rc_six_month', display_name: 'Six months' },
  P1Y: { lookup_key: '$rc_annual', display_name: 'Yearly' },
} as const;

export type Period = keyof typeof packageKinds;

const isPeriod = (text: string): text is Period => Object.hasOwn(packageKinds, text);

/** The package for a product: by its period, else monthly. */
export function packageOf({ subscription }: Product): (typeof packageKinds)[Period] {
  const period = subscription?.duration ?? '';
  return packageKinds[isPeriod(period) ? period : 'P1M'];
}

/** `pro_monthly` becomes `Pro monthly`. */
export function nameFrom(identifier: string): string {
  const words = identifier.split(/[:._-]+/).filter(Boolean);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
