import { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { useUpdateIntegration } from './webhooks.writes.js';

interface PauseDialogProps {
  projectId: string;
  webhookId: string;
  onClose: () => void;
}

/** Stops sending until resumed. */
export function PauseDialog({ projectId, webhookId, onClose }: PauseDialogProps) {
  const update = useUpdateIntegration(projectId, webhookId, onClose);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => update.mutate({ enabled: false })}
      title="Pause this webhook"
      confirmLabel="Pause webhook"
      busy={update.isPending}
      error={update.error?.message}
    >
      <div className="flex flex-col gap-3">
        Nothing is sent until you resume it. Deliveries that wait now are kept. Events that happen meanwhile
        are not queued; a replay sends them later.
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}"
          path={{ project_id: projectId, webhook_integration_id: webhookId }}
          body={{ enabled: false }}
        />
      </div>
    </ConfirmDialog>
  );
}
