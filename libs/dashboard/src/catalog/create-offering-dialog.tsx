import { FormDialog } from '../frame/form-dialog.js';
import { useFields } from '../frame/use-fields.js';
import { TextField } from '../ui/text-field.js';
import { text as shared } from './catalog.text.js';
import { useCreateOffering } from './offerings.queries.js';
import { text } from './offerings.text.js';

interface CreateOfferingDialogProps {
  projectId: string;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function CreateOfferingDialog({ projectId, onClose, onCreated }: CreateOfferingDialogProps) {
  const create = useCreateOffering(projectId);
  const fields = useFields({
    initial: { lookup_key: '', display_name: '' },
    check: ({ lookup_key: key, display_name: name }) => ({
      lookup_key: key.trim() === '' ? shared.lookupKeyMissing : null,
      display_name: name.trim() === '' ? shared.nameMissing : null,
    }),
    error: create.error,
    busy: create.isPending,
    onSubmit: (body) => create.mutate(body, { onSuccess: ({ id }) => onCreated(id) }),
  });
  return (
    <FormDialog
      title={text.create}
      size="sm"
      fields={fields}
      submit={text.create}
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/offerings',
        path: { project_id: projectId },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <TextField
        label={shared.lookupKey}
        hint={text.keyHint}
        mono
        autoComplete="off"
        {...fields.field('lookup_key')}
      />
      <TextField
        label={shared.name}
        hint={text.nameHint}
        autoComplete="off"
        {...fields.field('display_name')}
      />
    </FormDialog>
  );
}
