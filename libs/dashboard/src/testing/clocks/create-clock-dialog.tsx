import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateClock } from './test-clocks.queries.js';

const thisMinute = (): number | null => Math.floor(Date.now() / 60_000) * 60_000;

export function CreateClockDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const create = useCreateClock(projectId);
  const navigate = useNavigate();
  const [initial] = useState(() => ({ name: '', frozen_time: thisMinute() }));
  const form = useForm({
    initial,
    check: ({ name, frozen_time: start }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      frozen_time: start === null ? 'Enter a date and time.' : null,
    }),
    write: create,
    onSubmit: ({ name, frozen_time: start }) =>
      create.mutate(
        { name, frozen_time: start! },
        {
          onSuccess: ({ id }) =>
            void navigate({
              to: '/projects/$projectId/test/clocks/$clockId',
              params: { projectId, clockId: id },
            }),
        },
      ),
  });
  return (
    <FormDialog
      title="New test clock"
      form={form}
      submit="Create"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/test_clocks',
        path: { project_id: projectId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <DateTimeField label="Starts at" {...form.control('frozen_time')} />
    </FormDialog>
  );
}
