import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { useForm } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type ProjectSettings, useUpdateProject, type WeekStart } from './project.queries.js';
import { SaveProject } from './save-project.js';

const weekDayLabels = { monday: 'Monday', sunday: 'Sunday' } satisfies Record<WeekStart, string>;

/** First day of the week in charts. */
export function WeekPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  const form = useForm({
    initial: { week_starts_on: project.week_starts_on },
    write: update,
    onSubmit: (values) => {
      if (may.allowed) update.mutate(values, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(form.isDirty);
  return (
    <Panel
      beside
      title="First day of week"
      description="The day (UTC) on which weeks start in weekly charts."
    >
      <form {...form.formProps} className="grid gap-4">
        <RadioCards
          label="First day of week"
          labelHidden
          columns={2}
          options={(Object.keys(weekDayLabels) as WeekStart[]).map((value) => ({
            value,
            label: weekDayLabels[value],
            disabledReason: may.reason,
          }))}
          {...form.control('week_starts_on')}
        />
        <SaveProject
          projectId={project.id}
          isDirty={form.isDirty}
          update={update}
          body={form.values}
          error={form.problem}
        />
      </form>
    </Panel>
  );
}
