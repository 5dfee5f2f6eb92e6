import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import type { ProjectSettings, WeekStart } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';

const weekDayLabels = { monday: 'Monday', sunday: 'Sunday' } satisfies Record<WeekStart, string>;

/** First day of the week in charts. */
export function WeekPanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm(project.id, {
    initial: { week_starts_on: project.week_starts_on },
    bodyOf: (values) => values,
  });
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
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
