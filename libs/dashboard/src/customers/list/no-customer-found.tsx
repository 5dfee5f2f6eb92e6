import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { RestoreDialog } from '../actions/restore-dialog.js';
import { text } from '../customers.text.js';
import { looksLikeOrderId } from './order-id.js';

const words = text.none;

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
    <Panel title={visibleText(words.title(typed))}>
      <div role="status" className="flex max-w-2xl flex-col items-start gap-3">
        <p>{words.tried}</p>
        {looksLikeOrderId(typed) && mayRestore.allowed ? (
          <>
            <p>{words.order}</p>
            <Button icon="undo" onClick={() => setIsRestoring(true)}>
              {words.restore}
            </Button>
          </>
        ) : (
          <p className="text-muted">{words.hint}</p>
        )}
        <Button variant="ghost" onClick={onClear}>
          {text.list.clear}
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
