import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { ProjectSettings } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';

/** Names contain no whitespace. */
const namesIn = (typed: string) => typed.split(/\s+/).filter((name) => name !== '');

/** Customer attributes that filter and split charts. */
export function AttributesPanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm(project.id, {
    initial: { chart_attributes: project.chart_attributes.join(' ') },
    bodyOf: ({ chart_attributes: typed }) => ({ chart_attributes: namesIn(typed) }),
  });
  return (
    <Panel
      beside
      title="Attributes in charts"
      description="Up to five customer attributes for filtering and grouping charts. Charts use the latest value of each customer, so past figures change with it."
    >
      <form {...form.formProps} className="grid max-w-xl gap-4">
        <TextField
          {...form.field('chart_attributes')}
          label="Attributes"
          hint="Names, separated by spaces. After a change, charts are recalculated."
          mono
          autoComplete="off"
          readOnly={!may.allowed}
        />
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
