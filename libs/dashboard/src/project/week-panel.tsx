import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { useDirtyForm } from '../frame/dirty-forms.js';
import { ShowCall } from '../frame/show-call.js';
import { Button } from '../ui/button.js';
import { RadioCards } from '../ui/choice.js';
import { FormActions, FormError } from '../ui/form.js';
import { Panel } from '../ui/panel.js';
import { useToast } from '../ui/toast.js';
import { text } from './general.text.js';
import { type ProjectSettings, useUpdateProject, type WeekStart } from './project.queries.js';

/** On which day the weeks of charts begin. */
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
        <FormError error={update.error?.message} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
            {text.save}
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}"
            path={{ project_id: project.id }}
            body={body}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
