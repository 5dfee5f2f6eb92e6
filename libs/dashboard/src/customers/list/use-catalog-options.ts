import { useQuery } from '@tanstack/react-query';
import { allEntitlementsQuery } from '../../api/entitlements.queries.js';
import { allProductsQuery } from '../../api/products.queries.js';
import {
  type FilterDefinition,
  filterDefinitions,
  type FilterName,
  type Filters,
} from './customer-filters.js';

export type Options = readonly { value: string; label: string }[];

/** Returns the options of a filter; reads the catalog only if a filter needs it. */
export function useCatalogOptions(
  projectId: string,
  filters: Filters,
  chosen: FilterName | '',
): (name: FilterName) => Options | undefined {
  const isUsed = (name: FilterName) => chosen === name || filters[name] !== undefined;
  const products = useQuery({ ...allProductsQuery(projectId), enabled: isUsed('product_id') });
  const entitlements = useQuery({ ...allEntitlementsQuery(projectId), enabled: isUsed('entitlement_id') });
  return (name) => {
    const definition: FilterDefinition = filterDefinitions[name];
    if (definition.kind === 'product')
      return (products.data ?? []).map(({ id, display_name: name, store_identifier: storeId }) => ({
        value: id,
        label: name ?? storeId,
      }));
    if (definition.kind === 'entitlement')
      return (entitlements.data ?? []).map(({ id, display_name: label }) => ({ value: id, label }));
    return definition.options;
  };
}
