import { useQuery } from '@tanstack/react-query';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { projectRoleOptions } from '../project-roles.js';
import { projectsQuery } from '../projects/projects.queries.js';
import { rolesQuery } from '../roles/roles.queries.js';
import { useSaveMapping } from './mappings.queries.js';
import { text } from './mappings.text.js';

export function MappingDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { data: projects = [] } = useQuery(projectsQuery(orgId));
  const { data: customRoles = [] } = useQuery(rolesQuery(orgId));
  const save = useSaveMapping(orgId);
  const toast = useToast();
  const fields = useFields({
    initial: { group: '', project_id: '', role: 'viewer' },
    check: (values) => ({
      group: values.group.trim() === '' ? text.groupMissing : null,
      project_id: values.project_id === '' ? text.projectMissing : null,
    }),
    error: save.error,
    busy: save.isPending,
    onSubmit: (body) =>
      save.mutate(body, {
        onSuccess: ({ group, memberships_changed: changed }) => {
          toast({ title: text.saved(visibleText(group), changed), tone: 'good' });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title={text.create}
      effect={text.createEffect}
      fields={fields}
      submit={text.save}
      busy={save.isPending}
      error={save.error}
      call={{
        operation: 'POST /v2/organizations/{org_id}/role_mappings',
        path: { org_id: orgId },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <TextField label={text.group} hint={text.groupHint} autoComplete="off" {...fields.field('group')} />
      <SelectField
        label={text.project}
        placeholder={text.choose}
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        {...fields.field('project_id')}
      />
      <SelectField
        label={text.role}
        options={projectRoleOptions(customRoles, fields.values.project_id)}
        {...fields.field('role')}
      />
    </FormDialog>
  );
}
