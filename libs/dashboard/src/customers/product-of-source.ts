import type { Schema } from '../api/types.js';

/** What a sentence calls a source: grants have products that nobody made. */
export const productOfSource = ({
  kind,
  store_product_identifier: product,
}: Pick<Schema<'AccessSourceDto'>, 'kind' | 'store_product_identifier'>): string =>
  kind === 'grant' ? 'The grant' : product;
