import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { appsQuery } from '../../../api/apps.queries.js';
import { Page } from '../../../frame/pages/page.js';
import { buttonClass } from '../../../ui/button-class.js';
import { useFormat } from '../../../ui/format/format-context.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { TextField } from '../../../ui/forms/text-field.js';
import { DataList } from '../../../ui/lists/data-list.js';
import { EmptyState, NoMatch } from '../../../ui/loading/empty-state.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Panel } from '../../../ui/panel.js';
import { visibleText } from '../../../ui/text/visible-text.js';
import { ComparisonPanel } from './comparison-panel.js';
import { ImportBar } from './import-bar.js';
import { isHere, type StoreProduct, storeProductColumns } from './store-product-columns.js';
import { storeProductsQuery } from './store-products.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/products/import');
const none: ReadonlySet<string> = new Set();

/** Stores that this server can list. */
const listed = new Set(['app_store', 'mac_app_store', 'play_store', 'stripe', 'paddle']);

export default function ImportProductsPage() {
  const { projectId } = route.useParams();
  const { app } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(appsQuery(projectId));
  const apps = (data ?? []).filter(({ type }) => listed.has(type));
  const appId = app ?? (apps.length === 1 ? apps[0]!.id : undefined);
  return (
    <Page
      title="Import products from a store"
      note="Reads what the store of an app has, with the app’s credentials. Products that exist here are not changed."
    >
      {data && apps.length === 0 ? (
        <Panel padded={false}>
          <EmptyState
            sentence="Products can be imported from the App Store, Google Play, Stripe and Paddle. This project has no app of these stores yet."
            action={
              <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass()}>
                Go to apps
              </Link>
            }
          />
        </Panel>
      ) : (
        <SelectField
          label="App"
          placeholder="Choose an app"
          className="w-64 max-w-full"
          value={appId ?? ''}
          onChange={({ target }) =>
            void navigate({ search: { app: target.value || undefined }, replace: true })
          }
          options={apps.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        />
      )}
      {appId !== undefined && <StoreProducts key={appId} projectId={projectId} appId={appId} />}
    </Page>
  );
}

function StoreProducts({ projectId, appId }: { projectId: string; appId: string }) {
  const query = storeProductsQuery(projectId, appId);
  const products = useQuery(query);
  return (
    <>
      {products.data && products.data.items.length > 0 && (
        <ComparisonPanel projectId={projectId} appId={appId} />
      )}
      <Panel padded={false}>
        <QueryPanel query={products} queryKey={query.queryKey} skeleton={<SkeletonRows />} stale>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState sentence="The store has no products of this app." />
            ) : (
              <StoreProductList projectId={projectId} appId={appId} products={items} />
            )
          }
        </QueryPanel>
      </Panel>
    </>
  );
}

interface StoreProductListProps {
  projectId: string;
  appId: string;
  products: StoreProduct[];
}

function StoreProductList({ projectId, appId, products }: StoreProductListProps) {
  const { locale } = useFormat();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(none);
  const wanted = text.trim().toLowerCase();
  const rows = products.filter(({ store_identifier: id, display_name: name }) =>
    `${id} ${name ?? ''}`.toLowerCase().includes(wanted),
  );
  const idsOf = (some: StoreProduct[]) => new Set(some.map(({ store_identifier: id }) => id));
  return (
    <>
      <ImportBar
        projectId={projectId}
        appId={appId}
        selected={products.filter(({ store_identifier: id }) => selected.has(id))}
        onDone={() => setSelected(none)}
        onSelectAll={() => setSelected(idsOf(rows.filter((row) => !isHere(row) && row.state !== 'inactive')))}
      >
        <TextField
          label="Search"
          labelHidden
          placeholder="Search"
          type="search"
          className="w-64 max-w-full"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </ImportBar>
      {rows.length === 0 ? (
        <NoMatch things="products" onClear={() => setText('')} />
      ) : (
        <DataList
          label="Products in the store"
          rows={rows}
          columns={storeProductColumns(locale)}
          rowKey={({ store_identifier: id }) => id}
          selectable={{ selected, onChange: setSelected }}
        />
      )}
    </>
  );
}
