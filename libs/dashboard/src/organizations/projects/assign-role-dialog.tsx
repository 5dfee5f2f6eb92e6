import { useQuery } from '@tanstack/react-query';
import type { OrganizationProjectMember } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { projectRoleOptions } from '../project-roles.js';
import { rolesQuery } from '../roles/roles.queries.js';
import { useAssignRole } from './projects.queries.js';
import { text } from './projects.text.js';

interface AssignRoleDialogProps {
  orgId: string;
  projectId: string;
  member: OrganizationProjectMember;
  onClose: () => void;
}

/** Assigns a built-in or custom role in a project. */
export function AssignRoleDialog({ orgId, projectId, member, onClose }: AssignRoleDialogProps) {
  const organization = useOrganization();
  const hasRoles = organization?.features.includes('custom_roles') ?? false;
  const { data: customRoles = [] } = useQuery({ ...rolesQuery(orgId), enabled: hasRoles });
  const assign = useAssignRole(orgId, projectId);
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  const fields = useFields({
    initial: { role: member.role },
    error: assign.error,
    busy: assign.isPending,
    onSubmit: ({ role }) =>
      assign.mutate(
        { userId: member.user_id, role },
        {
          onSuccess: (changed) => {
            toast({ title: text.roleSaved(name, visibleText(changed.role_name)), tone: 'good' });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title={text.roleTitle(name)}
      effect={text.roleEffect}
      fields={fields}
      submit={text.save}
      busy={assign.isPending}
      error={assign.error}
      call={{
        operation: 'POST /v2/organizations/{org_id}/projects/{project_id}/members/{user_id}',
        path: { org_id: orgId, project_id: projectId, user_id: member.user_id },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label={text.role}
        options={projectRoleOptions(customRoles, projectId)}
        {...fields.field('role')}
      />
    </FormDialog>
  );
}
