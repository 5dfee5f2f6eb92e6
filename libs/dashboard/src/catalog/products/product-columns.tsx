import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Menu, type MenuItem } from '../../ui/overlays/menu.js';
import { Money } from '../../ui/format/money.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { App, Product } from '../catalog.types.js';
import { productTypes } from './product-words.js';

/** The columns of the product list. */
export const productColumns = (
  apps: readonly App[],
  itemsFor: (product: Product) => MenuItem[],
): Column<Product>[] => [
  {
    id: 'product',
    header: 'Product',
    priority: 1,
    cell: (product) => (
      <DataText mono truncate>
        {product.store_identifier}
      </DataText>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    cell: (product) => <DataText truncate>{product.display_name}</DataText>,
  },
  {
    id: 'app',
    header: 'App',
    priority: 3,
    cell: ({ app_id: id }) => <DataText truncate>{apps.find((app) => app.id === id)?.name ?? id}</DataText>,
  },
  {
    id: 'type',
    header: 'Type',
    width: '9rem',
    priority: 3,
    cell: ({ type }) => productTypes[type],
  },
  {
    id: 'price',
    header: 'Test price',
    width: '7rem',
    align: 'end',
    cell: ({ indicative_price: price }) =>
      price ? <Money micros={price.amount_micros} currency={price.currency} /> : '—',
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '3rem',
    align: 'end',
    priority: 1,
    cell: (product) => (
      <Menu
        iconOnly
        size="sm"
        label={`Actions for ${visibleText(product.store_identifier)}`}
        items={itemsFor(product)}
      />
    ),
  },
];
