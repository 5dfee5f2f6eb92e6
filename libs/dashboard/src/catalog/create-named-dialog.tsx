import type { UseMutationResult } from '@tanstack/react-query';
import type { CallError } from '../api/call-error.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { TextField } from '../ui/forms/text-field.js';

interface CreateNamedDialogProps {
  projectId: string;
  title: string;
  keyHint: string;
  nameHint: string;
  operation: 'POST /v2/projects/{project_id}/entitlements' | 'POST /v2/projects/{project_id}/offerings';
  create: UseMutationResult<{ id: string }, CallError, { lookup_key: string; display_name: string }>;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Asks for the key and name of a new entitlement or offering. */
export function CreateNamedDialog(props: CreateNamedDialogProps) {
  const { projectId, title, create, operation } = props;
  const form = useForm({
    initial: { lookup_key: '', display_name: '' },
    check: ({ lookup_key: key, display_name: name }) => ({
      lookup_key: key.trim() === '' ? 'Enter a lookup key.' : null,
      display_name: name.trim() === '' ? 'Enter a name.' : null,
    }),
    write: create,
    onSubmit: (body) => create.mutate(body, { onSuccess: ({ id }) => props.onCreated(id) }),
  });
  return (
    <FormDialog
      title={title}
      size="sm"
      form={form}
      submit="Create"
      call={{ operation, path: { project_id: projectId }, body: form.values }}
      onClose={props.onClose}
    >
      <TextField
        label="Lookup key"
        hint={props.keyHint}
        mono
        autoComplete="off"
        {...form.field('lookup_key')}
      />
      <TextField label="Name" hint={props.nameHint} autoComplete="off" {...form.field('display_name')} />
    </FormDialog>
  );
}
