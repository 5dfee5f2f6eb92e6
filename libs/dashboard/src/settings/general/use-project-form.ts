import { useMay } from '../../api/permissions.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { type FormOptions, useForm } from '../../frame/forms/use-form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateProject } from './project.queries.js';

type Body = Parameters<ReturnType<typeof useUpdateProject>['mutate']>[0];

interface ProjectFormOptions<V> extends Pick<FormOptions<V>, 'initial' | 'check'> {
  bodyOf: (values: V) => Body;
}

/** A form that changes settings of a project, with the props of its `SaveProject`. */
export function useProjectForm<V extends object>(
  projectId: string,
  { initial, check, bodyOf }: ProjectFormOptions<V>,
) {
  const update = useUpdateProject(projectId);
  const may = useMay('updateProject');
  const toast = useToast();
  const form = useForm<V>({
    initial,
    check,
    write: update,
    onSubmit: (values) => {
      if (!may.allowed) return;
      update.mutate(bodyOf(values), { onSuccess: () => toast({ title: 'Saved', tone: 'good' }) });
    },
  });
  const { values, isDirty, problem: error } = form;
  useDirtyForm(isDirty);
  return { form, may, footer: { projectId, update, body: bodyOf(values), isDirty, error } };
}
