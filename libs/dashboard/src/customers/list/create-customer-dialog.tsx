import { useNavigate } from '@tanstack/react-router';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { customersKey } from '../customers.queries.js';

interface CreateCustomerDialogProps {
  projectId: string;
  onClose: () => void;
}

export function CreateCustomerDialog({ projectId, onClose }: CreateCustomerDialogProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const create = useWrite({
    send: (body: Schema<'CreateCustomerDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/customers', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [customersKey(projectId)],
  });
  const form = useForm({
    initial: { id: '' },
    check: ({ id }) => ({ id: id === '' ? 'Enter an app user id.' : null }),
    write: create,
    onSubmit: ({ id }) =>
      create.mutate(
        { id },
        {
          onSuccess: () => {
            onClose();
            toast({ tone: 'good', title: 'Customer created' });
            void navigate({
              to: '/projects/$projectId/customer',
              params: { projectId },
              search: { id },
            });
          },
        },
      ),
  });
  return (
    <FormDialog
      title="New customer"
      effect="Creates a customer before their first purchase, for example to grant access. An SDK that signs in with this id gets the same customer."
      submit="Create customer"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers',
        path: { project_id: projectId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="App user id"
        hint="1 to 100 characters, no slash."
        mono
        required
        autoComplete="off"
        {...form.field('id')}
      />
    </FormDialog>
  );
}
