import type { Schema } from '../api/types.js';

/** What a sentence calls a source: the products of grants are made by the server. */
export const productOfSource = ({
  kind,
  store_product_identifier: product,
}: Pick<Schema<'AccessSourceDto'>, 'kind' | 'store_product_identifier'>): string =>
  kind === 'grant' ? 'The grant' : product;
