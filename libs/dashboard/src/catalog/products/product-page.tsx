import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Menu } from '../../ui/overlays/menu.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { appsQuery } from '../../api/apps.queries.js';
import { isArchived, nameOf } from '../catalog.types.js';
import { ChangeDialog } from '../change-dialog.js';
import { EditProductDialog } from './edit-product-dialog.js';
import { ProductFacts } from './product-facts.js';
import { ProductOffers } from './product-offers.js';
import { ProductUnlocks } from './product-unlocks.js';
import { productQuery } from './products.queries.js';
import { useObjectItems } from '../use-object-items.js';
import type { Action } from '../labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/products/$productId');

export default function ProductPage() {
  const { projectId, productId } = route.useParams();
  const navigate = route.useNavigate();
  // The server returns the count only to people who may see figures.
  const mayCount = useMay('getOverviewMetrics').allowed;
  const query = useQuery(productQuery(projectId, productId, mayCount));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const mayUpdate = useMay('updateProduct');
  const [open, setOpen] = useState<Action | 'edit' | null>(null);
  const itemsFor = useObjectItems('product', setOpen);
  const product = query.data;
  const app = apps.find(({ id }) => id === product?.app_id);
  const close = () => setOpen(null);
  return (
    <Page
      title={product ? visibleText(nameOf(product)) : 'Product'}
      id={productId}
      badges={product && isArchived(product) && <Badge>Archived</Badge>}
      actions={
        product && (
          <>
            <Button icon="edit" disabledReason={mayUpdate.reason} onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Menu iconOnly label="Actions" items={itemsFor(product)} />
          </>
        )
      }
    >
      <QueryPanel query={query} queryKey={productQuery(projectId, productId, mayCount).queryKey}>
        {(shown) => (
          <div className="grid gap-4">
            <ProductFacts projectId={projectId} product={shown} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <ProductUnlocks projectId={projectId} product={shown} />
              <ProductOffers projectId={projectId} product={shown} />
            </div>
          </div>
        )}
      </QueryPanel>
      {product && open === 'edit' && (
        <EditProductDialog {...{ projectId, product }} appType={app?.type} onClose={close} />
      )}
      {product && open !== null && open !== 'edit' && (
        <ChangeDialog
          {...{ projectId, kind: 'product', action: open, object: product }}
          onClose={close}
          onDone={
            open === 'delete'
              ? () => navigate({ to: '/projects/$projectId/catalog/products', params: { projectId } })
              : undefined
          }
        >
          {open === 'delete' && product.active_subscriptions !== undefined && (
            <p className="font-medium">
              {product.active_subscriptions === 0
                ? 'No subscription gives access through it now.'
                : product.active_subscriptions === 1
                  ? 'One subscription gives access through it now and will no longer do so.'
                  : `${product.active_subscriptions.toLocaleString()} subscriptions give access through it now and will no longer do so.`}
            </p>
          )}
        </ChangeDialog>
      )}
    </Page>
  );
}
