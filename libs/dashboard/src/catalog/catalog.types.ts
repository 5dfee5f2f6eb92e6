import type { Schema } from '../api/types.js';

export type App = Schema<'AppDto'>;
export type Product = Schema<'ProductDto'>;
export type Entitlement = Schema<'EntitlementDto'>;
export type Offering = Schema<'OfferingDto'>;
export type Package = Schema<'PackageDto'>;
export type Currency = Schema<'VirtualCurrencyDto'>;

/** Objects with a state that can be archived and deleted. */
export type CatalogObject = Product | Entitlement | Offering | Currency;

export const idOf = (object: CatalogObject | Package): string => ('code' in object ? object.code : object.id);

/** Returns the display name. */
export function nameOf(object: CatalogObject | Package): string {
  if ('code' in object) return object.name;
  if ('store_identifier' in object) return object.display_name ?? object.store_identifier;
  return object.display_name;
}

export const isArchived = ({ state }: CatalogObject): boolean => state === 'inactive';
