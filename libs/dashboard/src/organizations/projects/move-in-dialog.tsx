import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.queries.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
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
  const fields = useFields({
    initial: { project_id: '' },
    check: (values) => ({ project_id: values.project_id === '' ? 'Choose a project.' : null }),
    error: move.error,
    busy: move.isPending,
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
      fields={fields}
      submit="Move a project in"
      busy={move.isPending}
      error={move.error}
      call={{
        operation: 'POST /v2/organizations/{org_id}/projects',
        path: { org_id: orgId },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Project"
        hint={
          outside.length === 0
            ? 'You are an admin of no project that could be moved in.'
            : 'You must be an admin of it.'
        }
        placeholder="Choose a project"
        options={outside.map(({ id, name }) => ({ value: id, label: name }))}
        {...fields.field('project_id')}
      />
    </FormDialog>
  );
}
