import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
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
  const form = useForm({
    initial: { name: app.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    write: update,
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
      form={form}
      submit="Save"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}',
        path: { project_id: projectId, app_id: app.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField label="Name" hint="Only your team sees it." autoComplete="off" {...form.field('name')} />
    </FormDialog>
  );
}
