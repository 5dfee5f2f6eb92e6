import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { type App, useUpdateApp } from './apps.queries.js';
import { text } from './apps.text.js';

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
    check: ({ name }) => ({ name: name.trim() === '' ? text.nameMissing : null }),
    error: update.error,
    busy: update.isPending,
    onSubmit: (body) =>
      update.mutate(body, {
        onSuccess: () => {
          toast({ title: text.renamed, tone: 'good' });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title={text.renameTitle}
      fields={fields}
      submit={text.save}
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
      <TextField label={text.name} hint={text.nameHint} autoComplete="off" {...fields.field('name')} />
    </FormDialog>
  );
}
