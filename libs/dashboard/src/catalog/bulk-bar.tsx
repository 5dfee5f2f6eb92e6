import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { forEachItem, jobs } from '../frame/jobs.js';
import { ShowCall } from '../frame/show-call.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { visibleText } from '../ui/visible-text.js';
import { staleCatalog } from './catalog.queries.js';
import { text as shared } from './catalog.text.js';
import type { Product } from './catalog.types.js';
import { objectChanges } from './object-changes.js';
import { text } from './products.text.js';

interface BulkBarProps {
  projectId: string;
  products: Product[];
  action: 'archive' | 'unarchive';
  onClear: () => void;
}

/** What can be done with the selected products. The calls go on in the job strip when the page is left. */
export function BulkBar({ projectId, products, action, onClear }: BulkBarProps) {
  const queries = useQueryClient();
  const { id, operation, send } = objectChanges.product[action];
  const may = useMay(id);
  const [isAsking, setIsAsking] = useState(false);
  const count = products.length;
  const name = text.bulk[action](count);
  const start = () => {
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
    setIsAsking(false);
    onClear();
  };
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line bg-chosen px-4 py-1.5">
      <span role="status" className="me-2 font-medium tabular-nums">
        {text.selected(count)}
      </span>
      <Button size="sm" disabledReason={may.reason} onClick={() => setIsAsking(true)}>
        {shared[action]}
      </Button>
      <Button size="sm" variant="ghost" onClick={onClear}>
        {text.clear}
      </Button>
      {isAsking && (
        <ConfirmDialog
          open
          title={`${name}?`}
          confirmLabel={shared[action]}
          onClose={() => setIsAsking(false)}
          onConfirm={start}
        >
          <div className="grid gap-2">
            <p>{text.bulkEffect[action]}</p>
            <p className="text-muted">{text.bulkHow}</p>
            <ShowCall operation={operation} path={{ project_id: projectId }} />
          </div>
        </ConfirmDialog>
      )}
    </div>
  );
}
