import { AppName } from '../../frame/names/app-name.js';
import { ProductName } from '../../frame/names/product-name.js';
import type { Column } from '../../ui/lists/data-list.js';
import { Menu, type MenuItem } from '../../ui/overlays/menu.js';
import { Money } from '../../ui/format/money.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { Product } from '../catalog.types.js';
import { productTypes } from './product-words.js';

/** The columns of the product list. */
export const productColumns = (
  projectId: string,
  itemsFor: (product: Product) => MenuItem[],
): Column<Product>[] => [
  {
    id: 'product',
    header: 'Product',
    priority: 1,
    width: 'minmax(0, 2fr)',
    cell: ({ display_name: name, store_identifier: identifier }) => (
      <ProductName name={name} identifier={identifier} />
    ),
  },
  {
    id: 'app',
    header: 'App',
    priority: 3,
    cell: ({ app_id: id }) => <AppName projectId={projectId} appId={id} />,
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
