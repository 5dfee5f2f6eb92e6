import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { forEachItem, jobs } from '../../frame/jobs/jobs.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { staleCatalog } from '../catalog.queries.js';
import { type Action, text as shared } from '../catalog.text.js';
import type { Product } from '../catalog.types.js';
import { objectChanges } from '../object-changes.js';
import { text } from './products.text.js';

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
    const name = text.bulk[chosen](count);
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
        {text.selected(count)}
      </span>
      <Button size="sm" disabledReason={mayChange.reason} onClick={() => setAsked(action)}>
        {shared[action]}
      </Button>
      <Button size="sm" variant="danger" disabledReason={mayDelete.reason} onClick={() => setAsked('delete')}>
        {shared.delete}
      </Button>
      <Button size="sm" variant="ghost" onClick={onClear}>
        {text.clear}
      </Button>
      {asked && (
        <ConfirmDialog
          open
          danger={asked === 'delete'}
          title={`${text.bulk[asked](count)}?`}
          typed={asked === 'delete' ? String(count) : undefined}
          confirmLabel={shared[asked]}
          onClose={() => setAsked(null)}
          onConfirm={() => start(asked)}
        >
          <div className="grid gap-2">
            <p>{text.bulkEffect[asked]}</p>
            <p className="text-muted">{text.bulkHow}</p>
            <ShowCall operation={objectChanges.product[asked].operation} path={{ project_id: projectId }} />
          </div>
        </ConfirmDialog>
      )}
    </div>
  );
}
