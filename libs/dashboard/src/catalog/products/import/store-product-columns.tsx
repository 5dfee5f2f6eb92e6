import type { Schema } from '../../../api/types.js';
import { Badge } from '../../../ui/badge.js';
import { Money } from '../../../ui/format/money.js';
import { formatPeriod } from '../../../ui/format/period.js';
import type { Column } from '../../../ui/lists/data-list.js';
import { DataText } from '../../../ui/text/data-text.js';
import { productTypes } from '../product-words.js';

export type StoreProduct = Schema<'StoreProductDto'>;

export const isHere = ({ product_id: id, parent_product_id: parent }: StoreProduct): boolean =>
  id !== null || parent !== null;

const states = {
  active: { tone: 'good', label: 'On sale' },
  draft: { tone: 'neutral', label: 'Draft' },
  inactive: { tone: 'warn', label: 'Not on sale' },
} as const;

/** The columns of the products of a store. */
export const storeProductColumns = (locale: string): Column<StoreProduct>[] => [
  {
    id: 'product',
    header: 'Name',
    width: 'minmax(10rem, 2fr)',
    priority: 1,
    cell: ({ display_name: name, store_identifier: id }) => (
      <span className="grid min-w-0">
        <DataText truncate>{name ?? id}</DataText>
        {name !== null && (
          <span className="min-w-0 text-sm text-muted">
            <DataText mono truncate>
              {id}
            </DataText>
          </span>
        )}
      </span>
    ),
  },
  { id: 'type', header: 'Type', width: '8rem', priority: 3, cell: ({ type }) => productTypes[type] },
  {
    id: 'period',
    header: 'Period',
    width: '6rem',
    cell: ({ duration }) => (duration === null ? '—' : formatPeriod(locale, duration)),
  },
  {
    id: 'trial',
    header: 'Free trial',
    width: '6rem',
    priority: 3,
    cell: ({ trial_duration: trial }) => (trial === null ? '—' : formatPeriod(locale, trial)),
  },
  {
    id: 'price',
    header: 'Price',
    width: '6rem',
    align: 'end',
    cell: ({ price }) => (price ? <Money micros={price.amount_micros} currency={price.currency} /> : '—'),
  },
  {
    id: 'state',
    header: 'State',
    width: '12.5rem',
    cell: (product) => (
      <span className="flex flex-wrap gap-1">
        <Badge tone={states[product.state].tone}>{states[product.state].label}</Badge>
        {isHere(product) && <Badge tone="accent">Already here</Badge>}
      </span>
    ),
  },
];
