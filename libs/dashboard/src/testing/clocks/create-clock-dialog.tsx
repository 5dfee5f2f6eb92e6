import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateClock } from './test-clocks.queries.js';

export function CreateClockDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const create = useCreateClock(projectId);
  const navigate = useNavigate();
  const [startMs, setStartMs] = useState<number | null>(() => Math.floor(Date.now() / 60_000) * 60_000);
  const [isMissing, setIsMissing] = useState(false);
  const fields = useFields({
    initial: { name: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    error: create.error,
    busy: create.isPending,
    onSubmit: ({ name }) => {
      setIsMissing(startMs === null);
      if (startMs === null) return;
      create.mutate(
        { name, frozen_time: startMs },
        {
          onSuccess: ({ id }) =>
            void navigate({
              to: '/projects/$projectId/test/clocks/$clockId',
              params: { projectId, clockId: id },
            }),
        },
      );
    },
  });
  const timeError = create.error?.param === 'frozen_time' ? create.error.message : null;
  return (
    <FormDialog
      title="New test clock"
      fields={fields}
      submit="New test clock"
      busy={create.isPending}
      error={create.error}
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/test_clocks',
        path: { project_id: projectId },
        body: { name: fields.values.name, frozen_time: startMs },
      }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...fields.field('name')} />
      <DateTimeField
        label="Starts at"
        ms={startMs}
        onChange={setStartMs}
        error={timeError ?? (isMissing && startMs === null ? 'Enter a date and time.' : null)}
      />
    </FormDialog>
  );
}
