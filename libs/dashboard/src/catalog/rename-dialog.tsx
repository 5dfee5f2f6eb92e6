import type { CallError } from '../api/call-error.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
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
  const form = useForm({
    initial: { display_name: name },
    check: (values) => ({ display_name: values.display_name.trim() === '' ? 'Enter a name.' : null }),
    write: rename,
    onSubmit: (body) => rename.mutate(body, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={`Rename ${visibleText(name)}`}
      size="sm"
      form={form}
      submit="Save"
      call={{ operation, path, body: form.values }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
    </FormDialog>
  );
}
