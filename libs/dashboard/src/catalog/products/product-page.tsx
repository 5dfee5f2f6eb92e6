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
import { type Action, text as shared } from '../catalog.text.js';
import { isArchived, nameOf } from '../catalog.types.js';
import { ChangeDialog } from '../change-dialog.js';
import { EditProductDialog } from './edit-product-dialog.js';
import { ProductFacts } from './product-facts.js';
import { ProductOffers } from './product-offers.js';
import { ProductUnlocks } from './product-unlocks.js';
import { productQuery } from './products.queries.js';
import { text } from './products.text.js';
import { useObjectItems } from '../use-object-items.js';

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
      title={product ? visibleText(nameOf(product)) : text.one}
      id={productId}
      badges={product && isArchived(product) && <Badge>{shared.archived}</Badge>}
      actions={
        product && (
          <>
            <Button icon="edit" disabledReason={mayUpdate.reason} onClick={() => setOpen('edit')}>
              {text.edit}
            </Button>
            <Menu iconOnly label={shared.actions} items={itemsFor(product)} />
          </>
        )
      }
    >
      <QueryPanel query={query} queryKey={productQuery(projectId, productId, mayCount).queryKey}>
        {(shown) => (
          <div className="grid gap-4">
            <ProductFacts product={shown} app={app} />
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
            <p className="font-medium">{shared.subscriptionsLost(product.active_subscriptions)}</p>
          )}
        </ChangeDialog>
      )}
    </Page>
  );
}
