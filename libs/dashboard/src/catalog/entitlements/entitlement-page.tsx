import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { AppName } from '../../frame/names/app-name.js';
import { ProductName } from '../../frame/names/product-name.js';
import { Page } from '../../frame/pages/page.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { type Column, DataList } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { KeyValues } from '../../ui/key-values.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { AttachToEntitlementDialog } from './attach-to-entitlement-dialog.js';
import { isArchived, type Product } from '../catalog.types.js';
import { ChangeDialog } from '../change-dialog.js';
import { DetachDialog } from './detach-dialog.js';
import { entitlementQuery, useRenameEntitlement } from './entitlements.queries.js';
import { productTypes } from '../products/product-words.js';
import { RenameDialog } from '../rename-dialog.js';
import { useObjectItems } from '../use-object-items.js';
import type { Action } from '../labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/entitlements/$entitlementId');

export default function EntitlementPage() {
  const { projectId, entitlementId } = route.useParams();
  const navigate = route.useNavigate();
  const query = useQuery(entitlementQuery(projectId, entitlementId));
  const rename = useRenameEntitlement(projectId, entitlementId);
  const mayRename = useMay('renameEntitlement');
  const mayAttach = useMay('attachEntitlementProducts');
  const mayDetach = useMay('detachEntitlementProducts');
  const [open, setOpen] = useState<'rename' | 'attach' | Action | Product | null>(null);
  const itemsFor = useObjectItems('entitlement', setOpen);
  const close = () => setOpen(null);
  const entitlement = query.data;
  const attach = entitlement && (
    <Button
      icon="plus"
      disabledReason={
        mayAttach.reason ??
        (isArchived(entitlement) ? 'An archived entitlement cannot be attached to products.' : null)
      }
      onClick={() => setOpen('attach')}
    >
      Attach product
    </Button>
  );
  const columns: Column<Product>[] = [
    {
      id: 'product',
      header: 'Product',
      priority: 1,
      width: 'minmax(0, 2fr)',
      cell: ({ display_name: name, store_identifier: identifier }) => (
        <ProductName name={name} identifier={identifier} />
      ),
    },
    { id: 'app', header: 'App', cell: ({ app_id: id }) => <AppName projectId={projectId} appId={id} /> },
    { id: 'type', header: 'Type', priority: 3, cell: ({ type }) => productTypes[type] },
    {
      id: 'state',
      header: 'State',
      width: '7rem',
      cell: (product) => (isArchived(product) ? <Badge>Archived</Badge> : 'Active'),
    },
    {
      id: 'detach',
      header: <span className="sr-only">Detach</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (product) => (
        <IconButton
          icon="x"
          size="sm"
          label={`Detach ${visibleText(product.store_identifier)}`}
          disabledReason={mayDetach.reason}
          onClick={() => setOpen(product)}
        />
      ),
    },
  ];
  return (
    <Page
      title={entitlement ? visibleText(entitlement.display_name) : 'Entitlement'}
      id={entitlementId}
      badges={entitlement && isArchived(entitlement) && <Badge>Archived</Badge>}
      actions={
        entitlement && (
          <>
            <Button icon="edit" disabledReason={mayRename.reason} onClick={() => setOpen('rename')}>
              Rename
            </Button>
            <Menu iconOnly label="Actions" items={itemsFor(entitlement)} />
          </>
        )
      }
    >
      <QueryPanel query={query} queryKey={entitlementQuery(projectId, entitlementId).queryKey}>
        {(shown) => (
          <div className="grid gap-4">
            <Panel>
              <KeyValues
                items={[
                  ['Lookup key', <DataText mono key="key" children={shown.lookup_key} />],
                  ['Created', <Time key="created" ms={shown.created_at} />],
                ]}
              />
            </Panel>
            <Panel title="Products" actions={attach} padded={false}>
              {shown.products?.items.length ? (
                <DataList
                  label="Products"
                  rows={shown.products.items}
                  columns={columns}
                  rowKey={({ id }) => id}
                  rowHref={({ id }) => `/projects/${projectId}/catalog/products/${id}`}
                />
              ) : (
                <EmptyState sentence="No product unlocks this entitlement. Customers can only get it by a grant." />
              )}
            </Panel>
          </div>
        )}
      </QueryPanel>
      {entitlement && open === 'rename' && (
        <RenameDialog
          name={entitlement.display_name}
          rename={rename}
          operation="POST /v2/projects/{project_id}/entitlements/{entitlement_id}"
          path={{ project_id: projectId, entitlement_id: entitlementId }}
          onClose={close}
        />
      )}
      {entitlement && open === 'attach' && (
        <AttachToEntitlementDialog {...{ projectId, entitlement }} onClose={close} />
      )}
      {entitlement && typeof open === 'object' && open !== null && (
        <DetachDialog {...{ projectId, entitlement }} product={open} onClose={close} />
      )}
      {entitlement && (open === 'archive' || open === 'unarchive' || open === 'delete') && (
        <ChangeDialog
          {...{ projectId, kind: 'entitlement', action: open, object: entitlement }}
          onClose={close}
          onDone={
            open === 'delete'
              ? () => navigate({ to: '/projects/$projectId/catalog/entitlements', params: { projectId } })
              : undefined
          }
        />
      )}
    </Page>
  );
}
