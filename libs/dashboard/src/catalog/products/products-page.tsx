import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import { Button } from '../../ui/button.js';
import { CsvButton } from '../../ui/csv-button.js';
import { setCount } from '../../ui/lists/filter-bar.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { isArchived, type Product } from '../catalog.types.js';
import { CatalogListPage, useObjectChange } from '../catalog-list-page.js';
import { BulkBar } from './bulk-bar.js';
import { appsQuery } from '../../api/apps.queries.js';
import { CreateProductDialog } from './create-product-dialog.js';
import { productColumns } from './product-columns.js';
import { saveProducts } from './products-csv.js';
import { productsQuery } from './products.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/products');
const none: ReadonlySet<string> = new Set();

export default function ProductsPage() {
  const { projectId } = route.useParams();
  const { app, state } = route.useSearch();
  const navigate = route.useNavigate();
  const products = useInfiniteQuery(productsQuery(projectId, app));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const mayImport = useMay('listStoreProducts');
  const [isCreating, setIsCreating] = useState(false);
  const [selected, setSelected] = useState(none);
  const { itemsFor, dialog } = useObjectChange(projectId, 'product');
  const keep = useCallback((product: Product) => isArchived(product) === (state === 'archived'), [state]);
  const filter = (search: { app?: string; state?: 'archived' }) => {
    setSelected(none);
    void navigate({ search, replace: true });
  };
  const all = itemsOf(products.data);
  const chosen = all.filter((product) => selected.has(product.id) && keep(product));
  return (
    <CatalogListPage
      title="Products"
      note="What you sell in the stores. A product belongs to one app and has its identifier from the store."
      create={{ label: 'New product', operation: 'createProduct', onOpen: () => setIsCreating(true) }}
      moreActions={
        <>
          <CsvButton onClick={() => saveProducts(projectId, app)} />
          <Button
            disabledReason={mayImport.reason}
            onClick={() =>
              void navigate({
                to: '/projects/$projectId/catalog/products/import',
                params: { projectId },
                search: { app },
              })
            }
          >
            Import from a store
          </Button>
        </>
      }
      state={state}
      onStateChange={(next) => filter({ app, state: next })}
      filterCount={setCount({ app, state })}
      filters={
        <SelectField
          label="App"
          size="sm"
          className="w-48"
          value={app ?? ''}
          onChange={({ target }) => filter({ state, app: target.value || undefined })}
          options={[
            { value: '', label: 'All apps' },
            ...apps.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
          ]}
        />
      }
      dialogs={
        <>
          {isCreating && (
            <CreateProductDialog {...{ projectId, apps, appId: app }} onClose={() => setIsCreating(false)} />
          )}
          {dialog}
        </>
      }
    >
      {(createButton) => (
        <>
          {chosen.length > 0 && (
            <BulkBar
              projectId={projectId}
              products={chosen}
              action={state === 'archived' ? 'unarchive' : 'archive'}
              onClear={() => setSelected(none)}
            />
          )}
          <QueryList
            label="Products"
            things="products"
            query={products}
            queryKey={productsQuery(projectId, app).queryKey}
            keep={keep}
            columns={productColumns(projectId, itemsFor)}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/projects/${projectId}/catalog/products/${id}`}
            selectable={{ selected, onChange: setSelected }}
            filtered={app !== undefined || state !== undefined || all.length > 0}
            onClearFilters={() => filter({})}
            empty={{
              sentence: 'A product is what a customer buys in a store. It unlocks entitlements.',
              action: createButton,
              docs: docsOf('Products'),
            }}
          />
        </>
      )}
    </CatalogListPage>
  );
}
