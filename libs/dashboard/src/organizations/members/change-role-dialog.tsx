import type { OrganizationMember, OrganizationRole } from '../../api/enterprise.types.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { roleNames } from '../organizations.text.js';
import { useChangeRole } from './members.queries.js';
import { text } from './members.text.js';
import { RoleField } from './role-field.js';

interface ChangeRoleDialogProps {
  orgId: string;
  member: OrganizationMember;
  onClose: () => void;
}

export function ChangeRoleDialog({ orgId, member, onClose }: ChangeRoleDialogProps) {
  const change = useChangeRole(orgId);
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  const fields = useFields({
    initial: { role: member.role },
    error: change.error,
    busy: change.isPending,
    onSubmit: ({ role }) =>
      change.mutate(
        { userId: member.user_id, role: role as OrganizationRole },
        {
          onSuccess: (changed) => {
            toast({ title: text.changed(name, roleNames[changed.role]), tone: 'good' });
            onClose();
          },
        },
      ),
  });
  const role = fields.values.role as OrganizationRole;
  return (
    <FormDialog
      title={text.changeTitle(name)}
      effect={text.changeEffect}
      fields={fields}
      submit={text.save}
      busy={change.isPending}
      error={change.error}
      call={{
        operation: 'POST /v2/organizations/{org_id}/members/{user_id}',
        path: { org_id: orgId, user_id: member.user_id },
        body: { role },
      }}
      onClose={onClose}
    >
      <RoleField value={role} onChange={(chosen) => fields.set('role', chosen)} />
    </FormDialog>
  );
}
