import { Panel } from '../../ui/panel.js';
import { NumberField } from '../../ui/forms/text-field.js';
import type { ProjectSettings } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';

/** Share of customers who join no experiment. */
export function HoldoutPanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm(project.id, {
    initial: { experiment_holdout_percentage: String(project.experiment_holdout_percentage) },
    // The server rejects an empty field: JSON has no NaN, so it arrives as null.
    bodyOf: ({ experiment_holdout_percentage: value }) => ({
      experiment_holdout_percentage: value.trim() === '' ? Number.NaN : Number(value),
    }),
  });
  return (
    <Panel
      beside
      title="Holdout group"
      description="This share of customers joins no experiment, for comparison with the others. Customers who are already in an experiment stay in it."
    >
      <form {...form.formProps} className="grid max-w-xl gap-4">
        <NumberField
          {...form.field('experiment_holdout_percentage')}
          label="Holdout group"
          labelHidden
          hint="Percent, 0 to 50."
          integer
          readOnly={!may.allowed}
        />
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
