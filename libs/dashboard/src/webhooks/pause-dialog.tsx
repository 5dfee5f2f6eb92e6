import { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { text } from './webhooks.text.js';
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
      title={text.pause.title}
      confirmLabel={text.pause.confirm}
      busy={update.isPending}
      error={update.error?.message}
    >
      <div className="flex flex-col gap-3">
        {text.pause.about}
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}"
          path={{ project_id: projectId, webhook_integration_id: webhookId }}
          body={{ enabled: false }}
        />
      </div>
    </ConfirmDialog>
  );
}
