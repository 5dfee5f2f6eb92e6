import { useQueryClient } from '@tanstack/react-query';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { savedCheckQuery, useUpdateApp } from '../apps.queries.js';
import type { StepDialogProps } from './step-dialog.js';
import { stepWords } from './step-instructions.js';

export function RemoveCredentialDialog({ projectId, app, step, onClose }: StepDialogProps) {
  const update = useUpdateApp(projectId, app.id);
  const queries = useQueryClient();
  const toast = useToast();
  const { title } = stepWords[step.id];
  const body = { [app.type]: Object.fromEntries(Object.keys(step.fields).map((name) => [name, null])) };
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove: ${title}?`}
      confirmLabel="Remove"
      busy={update.isPending}
      error={update.error?.message}
      onClose={onClose}
      onConfirm={() =>
        update.mutate(body, {
          onSuccess: () => {
            queries.removeQueries({ queryKey: savedCheckQuery(projectId, app.id).queryKey });
            toast({ title: `Removed: ${title}` });
            onClose();
          },
        })
      }
    >
      <p className="mb-3">
        The server can no longer ask the store with it. Purchases on record stay; new ones may not be verified
        until it is set again.
      </p>
      <ShowCall
        operation="POST /v2/projects/{project_id}/apps/{app_id}"
        path={{ project_id: projectId, app_id: app.id }}
        body={body}
      />
    </ConfirmDialog>
  );
}
