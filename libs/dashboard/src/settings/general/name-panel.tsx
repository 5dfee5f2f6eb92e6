import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { ProjectSettings } from './project.queries.js';
import { SaveProject } from './save-project.js';
import { useProjectForm } from './use-project-form.js';

export function NamePanel({ project }: { project: ProjectSettings }) {
  const { form, may, footer } = useProjectForm(project.id, {
    initial: { name: project.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    bodyOf: (values) => values,
  });
  return (
    <Panel beside title="Name" description="Shown to the members of the project.">
      <form {...form.formProps} className="grid max-w-xl gap-4">
        <TextField
          {...form.field('name')}
          label="Name"
          labelHidden
          autoComplete="off"
          readOnly={!may.allowed}
        />
        <SaveProject {...footer} />
      </form>
    </Panel>
  );
}
