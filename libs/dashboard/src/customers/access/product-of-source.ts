import type { Schema } from '../../api/types.js';

/** Returns the product name of a source for sentences. The server creates the products of grants. */
export const productOfSource = (
  {
    kind,
    store_product_identifier: product,
  }: Pick<Schema<'AccessSourceDto'>, 'kind' | 'store_product_identifier'>,
  nameOf: (identifier: string) => string,
): string => (kind === 'grant' ? 'The grant' : nameOf(product));
