import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { ActionDialog, fieldError } from '../actions/action-dialog.js';
import { customersKey } from '../customers.queries.js';

interface CreateCustomerDialogProps {
  projectId: string;
  onClose: () => void;
}

export function CreateCustomerDialog({ projectId, onClose }: CreateCustomerDialogProps) {
  const navigate = useNavigate();
  const toast = useToast();
  const [id, setId] = useState('');
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
  return (
    <ActionDialog
      title="New customer"
      effect="Makes a customer before their first purchase, for example to grant access. An SDK that signs in with this id gets the same customer."
      submit="Create customer"
      busy={create.isPending}
      error={create.error}
      fields={['id']}
      isDirty={id !== ''}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers',
        path: { project_id: projectId },
        body: { id },
      }}
      onClose={onClose}
      onSubmit={() =>
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
        )
      }
    >
      <TextField
        label="App user id"
        hint="1 to 100 characters, no slash."
        value={id}
        mono
        required
        autoComplete="off"
        error={fieldError(create.error, 'id')}
        onChange={({ target }) => setId(target.value)}
      />
    </ActionDialog>
  );
}
