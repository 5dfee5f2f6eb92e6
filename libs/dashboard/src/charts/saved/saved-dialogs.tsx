import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { visibleText } from '../../ui/text/visible-text.js';
import {
  type SavedChart,
  useDeleteSavedChart,
  useRenameSavedChart,
  useSaveChart,
} from './saved-charts.queries.js';
import type { SavedParameters } from './saved-question.js';

const nameProblem = (name: string) => (name.trim() === '' ? 'Enter a name.' : null);

interface SaveDialogProps {
  projectId: string;
  /** The id of the chart. */
  chart: string;
  parameters: SavedParameters;
  onClose: () => void;
}

export function SaveDialog({ projectId, chart, parameters, onClose }: SaveDialogProps) {
  const save = useSaveChart(projectId);
  const question = { chart_name: chart, parameters: { ...parameters } };
  const form = useForm<{ display_name: string; visibility: SavedChart['visibility'] }>({
    initial: { display_name: '', visibility: 'project' },
    check: (values) => ({ display_name: nameProblem(values.display_name) }),
    write: save,
    onSubmit: (values) => save.mutate({ ...values, ...question }, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Save this chart"
      description="Saves the range, filters, grouping and currency, and places the chart on the board."
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/saved_charts',
        path: { project_id: projectId },
        body: { ...form.values, ...question },
      }}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={255} autoComplete="off" {...form.field('display_name')} />
      <RadioCards
        label="Who sees it"
        options={[
          { value: 'project', label: 'Everyone in the project' },
          { value: 'private', label: 'Only you', hint: 'Deleted when you leave the project.' },
        ]}
        value={form.values.visibility}
        onChange={(visibility) => form.set('visibility', visibility)}
      />
    </FormDialog>
  );
}

interface SavedDialogProps {
  projectId: string;
  chart: SavedChart;
  onClose: () => void;
}

export function RenameDialog({ projectId, chart, onClose }: SavedDialogProps) {
  const rename = useRenameSavedChart(projectId, chart.id);
  const form = useForm({
    initial: { display_name: chart.display_name },
    check: (values) => ({ display_name: nameProblem(values.display_name) }),
    write: rename,
    onSubmit: (body) => rename.mutate(body, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={`Rename ${visibleText(chart.display_name)}`}
      size="sm"
      form={form}
      submit="Rename"
      call={{
        operation: 'POST /v2/projects/{project_id}/saved_charts/{saved_chart_id}',
        path: { project_id: projectId, saved_chart_id: chart.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={255} autoComplete="off" {...form.field('display_name')} />
    </FormDialog>
  );
}

export function DeleteDialog({ projectId, chart, onClose }: SavedDialogProps) {
  const remove = useDeleteSavedChart(projectId);
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${visibleText(chart.display_name)}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate(chart.id, { onSuccess: onClose })}
    >
      {chart.visibility === 'project'
        ? 'It leaves the board of everyone in the project. The figures stay.'
        : 'It leaves your board. The figures stay.'}
    </ConfirmDialog>
  );
}
