import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Panel } from '../../ui/panel.js';
import { NumberField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type ProjectSettings, useUpdateProject } from './project.queries.js';
import { SaveProject } from './save-project.js';

/** Share of customers who join no experiment. */
export function HoldoutPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  // The server rejects an empty field: JSON has no NaN, so it arrives as null.
  const bodyOf = ({ experiment_holdout_percentage: value }: { experiment_holdout_percentage: string }) => ({
    experiment_holdout_percentage: value.trim() === '' ? Number.NaN : Number(value),
  });
  const { formProps, field, problem, values, isDirty } = useForm({
    initial: { experiment_holdout_percentage: String(project.experiment_holdout_percentage) },
    write: update,
    onSubmit: (given) => {
      if (!may.allowed) return;
      update.mutate(bodyOf(given), { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(isDirty);
  return (
    <Panel
      beside
      title="Holdout group"
      description="This share of customers joins no experiment, for comparison with the others. Customers who are already in an experiment stay in it."
    >
      <form {...formProps} className="grid max-w-xl gap-4">
        <NumberField
          {...field('experiment_holdout_percentage')}
          label="Holdout group"
          labelHidden
          hint="Percent, 0 to 50."
          integer
          readOnly={!may.allowed}
        />
        <SaveProject
          projectId={project.id}
          isDirty={isDirty}
          update={update}
          body={bodyOf(values)}
          error={problem}
        />
      </form>
    </Panel>
  );
}
