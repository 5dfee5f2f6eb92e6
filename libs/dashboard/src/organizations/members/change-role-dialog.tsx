import type { OrganizationMember } from '../../api/enterprise.types.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useChangeRole } from './members.queries.js';
import { RoleField } from './role-field.js';
import { roleNames } from '../labels.js';

interface ChangeRoleDialogProps {
  orgId: string;
  member: OrganizationMember;
  onClose: () => void;
}

export function ChangeRoleDialog({ orgId, member, onClose }: ChangeRoleDialogProps) {
  const change = useChangeRole(orgId);
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  const form = useForm({
    initial: { role: member.role },
    write: change,
    onSubmit: ({ role }) =>
      change.mutate(
        { userId: member.user_id, role },
        {
          onSuccess: (changed) => {
            toast({ title: `${name} is now ${roleNames[changed.role]}`, tone: 'good' });
            onClose();
          },
        },
      ),
  });
  const { role } = form.values;
  return (
    <FormDialog
      title={`Role of ${name}`}
      effect="Owners and admins are admins of every project at once. With a lower role, that access ends."
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/organizations/{org_id}/members/{user_id}',
        path: { org_id: orgId, user_id: member.user_id },
        body: { role },
      }}
      onClose={onClose}
    >
      <RoleField value={role} onChange={(chosen) => form.set('role', chosen)} />
    </FormDialog>
  );
}
