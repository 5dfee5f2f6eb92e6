import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { Panel } from '../../ui/panel.js';
import { useToast } from '../../ui/overlays/toast.js';
import { text } from './general.text.js';
import { type ProjectSettings, useUpdateProject, type WeekStart } from './project.queries.js';
import { SaveProject } from './save-project.js';

/** First day of the week in charts. */
export function WeekPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  const [day, setDay] = useState(project.week_starts_on);
  const body = { week_starts_on: day };
  useDirtyForm(day !== project.week_starts_on);
  return (
    <Panel title={text.week} description={text.weekNote}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (update.isPending || !may.allowed) return;
          update.mutate(body, { onSuccess: () => toast({ title: text.saved, tone: 'good' }) });
        }}
      >
        <RadioCards
          label={text.week}
          labelHidden
          columns={2}
          options={(Object.keys(text.weekDays) as WeekStart[]).map((value) => ({
            value,
            label: text.weekDays[value],
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
