import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { RestoreDialog } from '../actions/restore-dialog.js';
import { looksLikeOrderId } from './order-id.js';

interface NoCustomerFoundProps {
  projectId: string;
  typed: string;
  onClear: () => void;
}

/** Lists what was searched, and suggests alternatives. */
export function NoCustomerFound({ projectId, typed, onClear }: NoCustomerFoundProps) {
  const navigate = useNavigate();
  const mayRestore = useMay('restorePurchaseByOrderId');
  const [isRestoring, setIsRestoring] = useState(false);
  return (
    <Panel title={visibleText(`No customer found for ${typed}`)}>
      <div role="status" className="flex max-w-2xl flex-col items-start gap-3">
        <p>
          Tried the beginning of app user ids, aliases and emails. Also tried transaction ids, original
          transaction ids, order ids and purchase tokens, which must match exactly.
        </p>
        {looksLikeOrderId(typed) && mayRestore.allowed ? (
          <>
            <p>
              This looks like an order id. If the purchase never reached this project, the store may still
              know it.
            </p>
            <Button icon="undo" onClick={() => setIsRestoring(true)}>
              Restore by order id
            </Button>
          </>
        ) : (
          <p className="text-muted">
            Ask the customer for the email with the receipt, or for the id that your app shows.
          </p>
        )}
        <Button variant="ghost" onClick={onClear}>
          Clear search
        </Button>
      </div>
      {isRestoring && (
        <RestoreDialog
          projectId={projectId}
          orderId={typed}
          onClose={() => setIsRestoring(false)}
          onDone={(id) =>
            void navigate({ to: '/projects/$projectId/customer', params: { projectId }, search: { id } })
          }
        />
      )}
    </Panel>
  );
}
