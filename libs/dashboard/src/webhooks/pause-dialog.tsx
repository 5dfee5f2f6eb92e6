import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { useUpdateIntegration } from './webhooks.writes.js';

interface PauseDialogProps {
  projectId: string;
  webhookId: string;
  onClose: () => void;
}

/** Stops sending until resumed. */
export function PauseDialog({ projectId, webhookId, onClose }: PauseDialogProps) {
  return (
    <ConfirmCall
      title="Pause this webhook"
      effect="Nothing is sent until you resume it. Waiting deliveries are kept. New events are not queued; a replay sends them later."
      confirmLabel="Pause webhook"
      write={useUpdateIntegration(projectId, webhookId)}
      input={{ enabled: false }}
      call={{
        operation: 'POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}',
        path: { project_id: projectId, webhook_integration_id: webhookId },
        body: { enabled: false },
      }}
      onClose={onClose}
    />
  );
}
