import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { AppName } from '../../frame/names/app-name.js';
import { ProductName } from '../../frame/names/product-name.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState, NoMatch } from '../../ui/loading/empty-state.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { type Entitlement, isArchived, type Product } from '../catalog.types.js';
import { allProductsQuery } from '../../api/products.queries.js';
import { UnlockBox } from './unlock-box.js';
import { useCellKeys } from './use-cell-keys.js';

const STEP = 100;

interface MatrixProps {
  projectId: string;
  entitlements: Entitlement[];
  /** The search text for products. */
  find: string;
  onFind: (find: string) => void;
}

/** Products by entitlements. One tab stop; arrow keys move between cells. */
export function Matrix({ projectId, entitlements, ...filter }: MatrixProps) {
  const products = useQuery(allProductsQuery(projectId));
  return (
    <QueryPanel query={products} queryKey={allProductsQuery(projectId).queryKey}>
      {(all) => (
        <MatrixOf
          {...{ projectId, entitlements, ...filter }}
          products={all.filter((each) => !isArchived(each))}
        />
      )}
    </QueryPanel>
  );
}

function MatrixOf({
  projectId,
  entitlements,
  products,
  find,
  onFind,
}: MatrixProps & { products: Product[] }) {
  // The address is updated later; a field that waited for it would lose characters.
  const [typed, setTyped] = useState(find);
  const [shown, setShown] = useState(STEP);
  const change = (next: string) => {
    setTyped(next);
    onFind(next);
  };
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const matching = products.filter(({ store_identifier: key, display_name: name }) =>
    `${key}\n${name ?? ''}`.toLowerCase().includes(wanted),
  );
  const cells = useCellKeys(Math.min(matching.length, shown));
  if (products.length === 0) {
    return (
      <EmptyState
        sentence="There are no active products to unlock an entitlement yet."
        action={
          <Link to="/projects/$projectId/catalog/products" params={{ projectId }}>
            Go to products
          </Link>
        }
      />
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2 px-4 py-3">
        <TextField
          label="Find products"
          type="search"
          className="w-64 max-w-full"
          value={typed}
          onChange={({ target }) => change(target.value)}
        />
        <p className="min-w-0 text-sm text-muted">
          A checked box means that the product unlocks the entitlement. Each change is saved at once. Arrow
          keys move, Space changes.
        </p>
      </div>
      {matching.length === 0 ? (
        <NoMatch things="products" onClear={() => change('')} />
      ) : (
        <div className="relative overflow-x-auto border-t border-line">
          <table role="grid" aria-label="Entitlements" className="border-collapse" {...cells.grid}>
            <thead>
              <tr className="border-b border-line text-sm text-muted">
                <th
                  scope="col"
                  className="sticky start-0 z-1 min-w-36 bg-panel px-4 py-2 text-start font-medium"
                >
                  Product
                </th>
                {entitlements.map(({ id, lookup_key: key }) => (
                  <th key={id} scope="col" className="max-w-48 min-w-20 px-3 py-2 text-center font-medium">
                    <Link
                      to="/projects/$projectId/catalog/entitlements/$entitlementId"
                      params={{ projectId, entitlementId: id }}
                    >
                      <DataText mono truncate>
                        {key}
                      </DataText>
                    </Link>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {matching.slice(0, shown).map((product, row) => (
                <tr key={product.id} className="border-b border-line last:border-0 hover:bg-hover">
                  <th
                    scope="row"
                    className="sticky start-0 z-1 max-w-40 min-w-36 bg-panel sm:max-w-80 px-4 py-1 text-start font-normal"
                  >
                    <ProductName name={product.display_name} identifier={product.store_identifier} />
                    <span className="block text-sm text-muted">
                      <AppName projectId={projectId} appId={product.app_id} />
                    </span>
                  </th>
                  {entitlements.map((entitlement, column) => (
                    <td key={entitlement.id} className="px-3 py-1 text-center" {...cells.cell(row, column)}>
                      <UnlockBox
                        {...{ projectId, entitlement, product }}
                        tabIndex={cells.tabIndex(row, column)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {matching.length > shown && (
        <Button variant="ghost" className="m-2" onClick={() => setShown(shown + STEP)}>
          {`Show ${Math.min(STEP, matching.length - shown)} more products`}
        </Button>
      )}
    </>
  );
}
