import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.queries.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { projectsQuery, useMoveIn } from './projects.queries.js';

export function MoveInDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { data: account } = useQuery(accountQuery);
  const { data: inside } = useQuery(projectsQuery(orgId));
  const move = useMoveIn(orgId);
  const toast = useToast();
  const outside = (account?.projects ?? []).filter(
    ({ id, role }) => role === 'admin' && !inside?.some((project) => project.id === id),
  );
  const form = useForm({
    initial: { project_id: '' },
    check: (values) => ({ project_id: values.project_id === '' ? 'Choose a project.' : null }),
    write: move,
    onSubmit: (body) =>
      move.mutate(body, {
        onSuccess: ({ name }) => {
          toast({ title: `${visibleText(name)} belongs to the organization now`, tone: 'good' });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="Move a project in"
      effect="Everyone on the project becomes a member of the organization; its owners and admins become admins of the project."
      form={form}
      submit="Move a project in"
      call={{
        operation: 'POST /v2/organizations/{org_id}/projects',
        path: { org_id: orgId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Project"
        hint={
          outside.length === 0
            ? 'You are not an admin of any project that can be moved in.'
            : 'You must be an admin of it.'
        }
        placeholder="Choose a project"
        options={outside.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('project_id')}
      />
    </FormDialog>
  );
}
