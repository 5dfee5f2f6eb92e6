import { useQueryClient } from '@tanstack/react-query';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { savedCheckQuery, useUpdateApp } from '../apps.queries.js';
import type { StepDialogProps } from './step-dialog.js';
import { stepWords } from './step-instructions.js';

export function RemoveCredentialDialog({ projectId, app, step, onClose }: StepDialogProps) {
  const update = useUpdateApp(projectId, app.id);
  const queries = useQueryClient();
  const { title } = stepWords[step.id];
  const body = { [app.type]: Object.fromEntries(Object.keys(step.fields).map((name) => [name, null])) };
  return (
    <ConfirmCall
      danger
      title={`Remove: ${title}?`}
      effect="The server can no longer query the store with it. Recorded purchases stay; new ones may not be verified until you add it again."
      confirmLabel="Remove"
      write={update}
      input={body}
      done={`Removed: ${title}`}
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
        body: body,
      }}
      onClose={onClose}
      onDone={() => {
        queries.removeQueries({ queryKey: savedCheckQuery(projectId, app.id).queryKey });
        onClose();
      }}
    />
  );
}
