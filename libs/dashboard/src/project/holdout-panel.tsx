import { useMay } from '../api/permissions.js';
import { useDirtyForm } from '../frame/dirty-forms.js';
import { ShowCall } from '../frame/show-call.js';
import { useFields } from '../frame/use-fields.js';
import { Button } from '../ui/button.js';
import { FormActions, FormError } from '../ui/form.js';
import { Panel } from '../ui/panel.js';
import { NumberField } from '../ui/text-field.js';
import { useToast } from '../ui/toast.js';
import { text } from './general.text.js';
import { type ProjectSettings, useUpdateProject } from './project.queries.js';

/** Which share of the customers joins no experiment. */
export function HoldoutPanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  // An empty field is no number; the server says so.
  const bodyOf = ({ experiment_holdout_percentage: value }: { experiment_holdout_percentage: string }) => ({
    experiment_holdout_percentage: value.trim() === '' ? Number.NaN : Number(value),
  });
  const { form, field, problem, values, isDirty } = useFields({
    initial: { experiment_holdout_percentage: String(project.experiment_holdout_percentage) },
    error: update.error,
    busy: update.isPending,
    onSubmit: (given) => {
      if (!may.allowed) return;
      update.mutate(bodyOf(given), { onSuccess: () => toast({ title: text.saved, tone: 'good' }) });
    },
  });
  useDirtyForm(isDirty);
  return (
    <Panel title={text.holdout} description={text.holdoutNote}>
      <form {...form} className="grid max-w-xl gap-4">
        <NumberField
          {...field('experiment_holdout_percentage')}
          label={text.holdout}
          labelHidden
          hint={text.holdoutHint}
          integer
          readOnly={!may.allowed}
        />
        <FormError error={problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={may.reason}>
            {text.save}
          </Button>
          <ShowCall
            operation="POST /v2/projects/{project_id}"
            path={{ project_id: project.id }}
            body={bodyOf(values)}
          />
        </FormActions>
      </form>
    </Panel>
  );
}
