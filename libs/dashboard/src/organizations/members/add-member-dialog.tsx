import type { OrganizationRole } from '../../api/enterprise.types.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useAddMember } from './members.queries.js';
import { RoleField } from './role-field.js';

export function AddMemberDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const add = useAddMember(orgId);
  const toast = useToast();
  const bodyOf = ({ email, role }: { email: string; role: string }) => ({
    email: email.trim(),
    role: role as OrganizationRole,
  });
  const form = useForm({
    initial: { email: '', role: 'member' },
    check: ({ email }) => ({ email: email.trim() === '' ? 'Enter an email address.' : null }),
    write: add,
    onSubmit: (values) =>
      add.mutate(bodyOf(values), {
        onSuccess: ({ email }) => {
          toast({ title: `Added ${visibleText(email)}`, tone: 'good' });
          onClose();
        },
      }),
  });
  const body = bodyOf(form.values);
  return (
    <FormDialog
      title="Add a member"
      effect="The address must already have an account. Others join by single sign-on, by provisioning, or with an invitation to a project."
      form={form}
      submit="Add a member"
      call={{ operation: 'POST /v2/organizations/{org_id}/members', path: { org_id: orgId }, body }}
      onClose={onClose}
    >
      <TextField
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        {...form.field('email')}
      />
      <RoleField value={body.role} onChange={(role) => form.set('role', role)} />
    </FormDialog>
  );
}
