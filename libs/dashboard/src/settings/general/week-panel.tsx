import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
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
  const [day, setDay] = useState(project.week_starts_on);
  const body = { week_starts_on: day };
  useDirtyForm(day !== project.week_starts_on);
  return (
    <Panel
      title="Weeks of charts"
      description="On which day (UTC) a week begins when charts are drawn by week."
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (update.isPending || !may.allowed) return;
          update.mutate(body, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
        }}
      >
        <RadioCards
          label="Weeks of charts"
          labelHidden
          columns={2}
          options={(Object.keys(weekDayLabels) as WeekStart[]).map((value) => ({
            value,
            label: weekDayLabels[value],
            disabledReason: may.reason,
          }))}
          value={day}
          onChange={setDay}
        />
        <SaveProject projectId={project.id} update={update} body={body} error={update.error?.message} />
      </form>
    </Panel>
  );
}
