import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useMay } from '../api/permissions.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FormError } from '../ui/forms/form.js';
import { useToast } from '../ui/overlays/toast.js';
import { pausedAtQuery } from './webhooks.queries.js';
import { useUpdateIntegration } from './webhooks.writes.js';

interface ResumeDialogProps {
  projectId: string;
  webhookId: string;
  onClose: () => void;
  /** Opens a replay of missed events, with the time of the pause if known. */
  onReplay: (pausedAt: number | null) => void;
}

/** Resumes sending, and offers to replay missed events. */
export function ResumeDialog({ projectId, webhookId, onClose, onReplay }: ResumeDialogProps) {
  const toast = useToast();
  const mayAudit = useMay('listAuditLogs').allowed;
  const queries = useQueryClient();
  const withReplay = useRef(false);
  const pausedAt = useRef<number | null>(null);
  const update = useUpdateIntegration(projectId, webhookId, () => {
    toast({ title: 'Webhook resumed', tone: 'good' });
    if (withReplay.current) onReplay(pausedAt.current);
    else onClose();
  });
  const resume = async (replays: boolean) => {
    withReplay.current = replays;
    // Read before resuming, which adds an audit entry of the same kind.
    if (replays && mayAudit) {
      pausedAt.current = await queries.fetchQuery(pausedAtQuery(projectId, webhookId)).catch(() => null);
    }
    update.mutate({ enabled: true });
  };
  return (
    <Dialog
      open
      onClose={() => !update.isPending && onClose()}
      size="sm"
      title="Resume this webhook"
      footer={
        <>
          <Button onClick={onClose} disabled={update.isPending}>
            Cancel
          </Button>
          <Button busy={update.isPending} onClick={() => void resume(false)}>
            Resume
          </Button>
          <Button variant="primary" busy={update.isPending} onClick={() => void resume(true)}>
            Resume and replay
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>Deliveries that waited are sent now. Events that happened while it was paused were not queued.</p>
        <FormError error={update.error?.message} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/integrations/webhooks/{webhook_integration_id}"
          path={{ project_id: projectId, webhook_integration_id: webhookId }}
          body={{ enabled: true }}
        />
      </div>
    </Dialog>
  );
}
