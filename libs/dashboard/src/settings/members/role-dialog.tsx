import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Member, useChangeRole } from './members.queries.js';
import { RoleField } from './role-field.js';
import { roleName, roleOf } from './role-of.js';

interface RoleDialogProps {
  projectId: string;
  member: Member;
  isSelf: boolean;
  onClose: () => void;
}

export function RoleDialog({ projectId, member, isSelf, onClose }: RoleDialogProps) {
  const toast = useToast();
  const name = visibleText(member.name ?? member.email);
  const change = useChangeRole(projectId, (changed) => {
    toast({ title: `${name} is now ${roleName(changed)}`, tone: 'good' });
    onClose();
  });
  const form = useForm({
    initial: { role: roleOf(member) },
    write: change,
    onSubmit: ({ role }) => change.mutate({ userId: member.id, role }),
  });
  return (
    <FormDialog
      title={`Role of ${name}`}
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/projects/{project_id}/collaborators/{user_id}',
        path: { project_id: projectId, user_id: member.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <RoleField {...form.control('role')} labelHidden />
      {isSelf && form.values.role !== 'admin' && (
        <p className="text-muted">This is your own role: below admin, you cannot restore it yourself.</p>
      )}
    </FormDialog>
  );
}
