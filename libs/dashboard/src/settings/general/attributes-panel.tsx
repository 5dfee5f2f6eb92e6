import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { useForm } from '../../frame/forms/use-form.js';
import { useMay } from '../../api/permissions.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type ProjectSettings, useUpdateProject } from './project.queries.js';
import { SaveProject } from './save-project.js';

/** Names contain no whitespace. */
const namesIn = (typed: string) => typed.split(/\s+/).filter((name) => name !== '');

/** Customer attributes that filter and split charts. */
export function AttributesPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  const bodyOf = (typed: string) => ({ chart_attributes: namesIn(typed) });
  const { formProps, field, problem, values, isDirty } = useForm({
    initial: { chart_attributes: project.chart_attributes.join(' ') },
    write: update,
    onSubmit: ({ chart_attributes: typed }) => {
      if (!may.allowed) return;
      update.mutate(bodyOf(typed), { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(isDirty);
  return (
    <Panel
      beside
      title="Attributes in charts"
      description="Up to five customer attributes for filtering and grouping charts. Charts use the latest value of each customer, so past figures change with it."
    >
      <form {...formProps} className="grid max-w-xl gap-4">
        <TextField
          {...field('chart_attributes')}
          label="Attributes"
          hint="Names, separated by spaces. After a change, charts are recalculated."
          mono
          autoComplete="off"
          readOnly={!may.allowed}
        />
        <SaveProject
          projectId={project.id}
          isDirty={isDirty}
          update={update}
          body={bodyOf(values.chart_attributes)}
          error={problem}
        />
      </form>
    </Panel>
  );
}
