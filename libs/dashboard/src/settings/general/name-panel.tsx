import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { useForm } from '../../frame/forms/use-form.js';
import { useMay } from '../../api/permissions.js';
import { Panel } from '../../ui/panel.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type ProjectSettings, useUpdateProject } from './project.queries.js';
import { SaveProject } from './save-project.js';

export function NamePanel({ project }: { project: ProjectSettings }) {
  const update = useUpdateProject(project.id);
  const may = useMay('updateProject');
  const toast = useToast();
  const { formProps, field, problem, values, isDirty } = useForm({
    initial: { name: project.name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Enter a name.' : null }),
    write: update,
    onSubmit: (body) => {
      if (may.allowed) update.mutate(body, { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  useDirtyForm(isDirty);
  return (
    <Panel beside title="Name" description="Shown to the members of the project.">
      <form {...formProps} className="grid max-w-xl gap-4">
        <TextField {...field('name')} label="Name" labelHidden autoComplete="off" readOnly={!may.allowed} />
        <SaveProject projectId={project.id} isDirty={isDirty} update={update} body={values} error={problem} />
      </form>
    </Panel>
  );
}
