import type { CallError } from '../api/call-error.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { TextField } from '../ui/forms/text-field.js';
import { visibleText } from '../ui/text/visible-text.js';

interface RenameDialogProps {
  name: string;
  /** The mutation that saves the new name. */
  rename: {
    isPending: boolean;
    error: CallError | null;
    mutate: (body: { display_name: string }, options: { onSuccess: () => void }) => void;
  };
  operation: string;
  path: Record<string, string>;
  onClose: () => void;
}

export function RenameDialog({ name, rename, operation, path, onClose }: RenameDialogProps) {
  const fields = useFields({
    initial: { display_name: name },
    check: (values) => ({ display_name: values.display_name.trim() === '' ? 'Enter a name.' : null }),
    error: rename.error,
    busy: rename.isPending,
    onSubmit: (body) => rename.mutate(body, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={`Rename ${visibleText(name)}`}
      size="sm"
      fields={fields}
      submit="Save"
      busy={rename.isPending}
      error={rename.error}
      call={{ operation, path, body: fields.values }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...fields.field('display_name')} />
    </FormDialog>
  );
}
