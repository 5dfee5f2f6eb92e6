import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { type App, useUpdateApp } from './apps.queries.js';

interface RenameAppDialogProps {
  projectId: string;
  app: App;
  onClose: () => void;
}

export function RenameAppDialog({ projectId, app, onClose }: RenameAppDialogProps) {
  const update = useUpdateApp(projectId, app.id);
  const toast = useToast();
  const fields = useFields({
    initial: { name: app.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    error: update.error,
    busy: update.isPending,
    onSubmit: (body) =>
      update.mutate(body, {
        onSuccess: () => {
          toast({ title: 'Renamed', tone: 'good' });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="Rename the app"
      fields={fields}
      submit="Save"
      busy={update.isPending}
      error={update.error}
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <TextField label="Name" hint="Only your team sees it." autoComplete="off" {...fields.field('name')} />
    </FormDialog>
  );
}
