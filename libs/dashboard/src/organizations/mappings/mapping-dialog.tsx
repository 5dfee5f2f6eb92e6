import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { projectRoleOptions } from '../project-roles.js';
import { projectsQuery } from '../projects/projects.queries.js';
import { rolesQuery } from '../roles/roles.queries.js';
import { useSaveMapping } from './mappings.queries.js';

export function MappingDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { data: projects = [] } = useQuery(projectsQuery(orgId));
  const { data: customRoles = [] } = useQuery(rolesQuery(orgId));
  const save = useSaveMapping(orgId);
  const toast = useToast();
  const form = useForm({
    initial: { group: '', project_id: '', role: 'viewer' },
    check: (values) => ({
      group: values.group.trim() === '' ? 'Enter the name of a group.' : null,
      project_id: values.project_id === '' ? 'Choose a project.' : null,
    }),
    write: save,
    onSubmit: (body) =>
      save.mutate(body, {
        onSuccess: ({ group, memberships_changed: changed }) => {
          toast({
            title: `Saved the mapping of ${visibleText(group)}. ${
              changed === 0
                ? 'No membership changed.'
                : changed === 1
                  ? '1 membership changed.'
                  : `${changed} memberships changed.`
            }`,
            tone: 'good',
          });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="New mapping"
      effect="The same group and project again replaces the role."
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/organizations/{org_id}/role_mappings',
        path: { org_id: orgId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="Group"
        hint="As named by your identity provider. Case does not matter."
        autoComplete="off"
        {...form.field('group')}
      />
      <SelectField
        label="Project"
        placeholder="Choose a project"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('project_id')}
      />
      <SelectField
        label="Role"
        options={projectRoleOptions(customRoles, form.values.project_id)}
        {...form.field('role')}
      />
    </FormDialog>
  );
}
