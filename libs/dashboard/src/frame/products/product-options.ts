import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../api/apps.queries.js';
import { allProductsQuery } from '../../api/products.queries.js';
import type { Schema } from '../../api/types.js';
import { visibleText } from '../../ui/text/visible-text.js';

type Product = Schema<'ProductDto'>;

/** A product in a select. */
export const optionOf = ({ id, store_identifier: key, display_name: name }: Product) => ({
  value: id,
  label: visibleText(name === null || name === key ? key : `${key} (${name})`),
});

/** All products with the names of their apps, and a note while they are missing. */
export function useProductOptions(projectId: string) {
  const products = useQuery(allProductsQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const options = (products.data ?? []).map((product) => {
    const { value, label } = optionOf(product);
    const app = apps.length > 1 ? apps.find(({ id }) => id === product.app_id) : undefined;
    const named = app ? `${visibleText(app.name)}: ${label}` : label;
    return { value, label: product.state === 'inactive' ? `${named} (archived)` : named };
  });
  const note = products.isPending
    ? 'Loading products…'
    : products.isError
      ? products.error.message
      : undefined;
  return { options, note };
}
