import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { forEachItem, jobs } from '../../frame/jobs/jobs.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { staleCatalog } from '../catalog.queries.js';
import type { Product } from '../catalog.types.js';
import { objectChanges } from '../object-changes.js';
import { actionLabels, type Action } from '../labels.js';

const bulkLabels = {
  archive: (count: number) => (count === 1 ? 'Archive 1 product' : `Archive ${count} products`),
  unarchive: (count: number) => (count === 1 ? 'Unarchive 1 product' : `Unarchive ${count} products`),
  delete: (count: number) => (count === 1 ? 'Delete 1 product' : `Delete ${count} products`),
};

const productsBulkEffect = {
  archive: 'SDKs stop offering them. Customers who bought them keep their access. They can be unarchived.',
  unarchive: 'They can be attached and offered again.',
  delete:
    'Their purchases stay on record but no longer unlock anything. They leave all entitlements and packages. This cannot be undone; to stop offering them without removing access, archive them.',
};

interface BulkBarProps {
  projectId: string;
  products: Product[];
  /** The action in addition to deleting. */
  action: 'archive' | 'unarchive';
  onClear: () => void;
}

/** Actions on the selected products. They continue in the job strip when the page is left. */
export function BulkBar({ projectId, products, action, onClear }: BulkBarProps) {
  const queries = useQueryClient();
  const mayChange = useMay(objectChanges.product[action].id);
  const mayDelete = useMay(objectChanges.product.delete.id);
  const [asked, setAsked] = useState<Action | null>(null);
  const count = products.length;
  const start = (chosen: Action) => {
    const { send } = objectChanges.product[chosen];
    const name = bulkLabels[chosen](count);
    jobs.start({ name, total: count, by: 'browser' }, async (job) => {
      try {
        await forEachItem(
          job,
          products,
          (product) => visibleText(product.store_identifier),
          (product, headers) => send(projectId, product.id, headers),
        );
      } finally {
        for (const queryKey of staleCatalog(projectId)) void queries.invalidateQueries({ queryKey });
      }
    });
    setAsked(null);
    onClear();
  };
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line bg-chosen px-4 py-1.5">
      <span role="status" className="me-2 font-medium tabular-nums">
        {count === 1 ? '1 selected' : `${count.toLocaleString()} selected`}
      </span>
      <Button size="sm" disabledReason={mayChange.reason} onClick={() => setAsked(action)}>
        {actionLabels[action]}
      </Button>
      <Button size="sm" variant="danger" disabledReason={mayDelete.reason} onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <Button size="sm" variant="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {asked && (
        <ConfirmDialog
          open
          danger={asked === 'delete'}
          title={`${bulkLabels[asked](count)}?`}
          typed={asked === 'delete' ? String(count) : undefined}
          confirmLabel={actionLabels[asked]}
          onClose={() => setAsked(null)}
          onConfirm={() => start(asked)}
        >
          <div className="grid gap-2">
            <p>{productsBulkEffect[asked]}</p>
            <p className="text-muted">One call per product. A failed call does not stop the others.</p>
            <ShowCall operation={objectChanges.product[asked].operation} path={{ project_id: projectId }} />
          </div>
        </ConfirmDialog>
      )}
    </div>
  );
}
