import { useQuery } from '@tanstack/react-query';
import type { OrganizationProjectMember } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { projectRoleOptions } from '../project-roles.js';
import { rolesQuery } from '../roles/roles.queries.js';
import { useAssignRole } from './projects.queries.js';

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
  const form = useForm({
    initial: { role: member.role },
    write: assign,
    onSubmit: ({ role }) =>
      assign.mutate(
        { userId: member.user_id, role },
        {
          onSuccess: (changed) => {
            toast({ title: `${name} is now ${visibleText(changed.role_name)}`, tone: 'good' });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title={`Role of ${name}`}
      effect="A manually assigned role stays, whatever the groups of the identity provider say."
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/organizations/{org_id}/projects/{project_id}/members/{user_id}',
        path: { org_id: orgId, project_id: projectId, user_id: member.user_id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Role"
        options={projectRoleOptions(customRoles, projectId)}
        {...form.field('role')}
      />
    </FormDialog>
  );
}
