import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { RoleFields } from './role-fields.js';
import { useCreateRole } from './roles.queries.js';
import { useRoleForm } from './use-role-form.js';

export function CreateRoleDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const create = useCreateRole(orgId);
  const navigate = useNavigate();
  const toast = useToast();
  const form = useRoleForm({
    write: create,
    onSubmit: (body) =>
      create.mutate(body, {
        onSuccess: ({ id, name }) => {
          toast({ title: `Created ${visibleText(name)}`, tone: 'good' });
          onClose();
          void navigate({ to: '/organizations/$orgId/roles/$roleId', params: { orgId, roleId: id } });
        },
      }),
  });
  return (
    <FormDialog
      title="New role"
      form={form}
      submit="Create"
      call={{
        operation: 'POST /v2/organizations/{org_id}/roles',
        path: { org_id: orgId },
        body: form.body,
      }}
      onClose={onClose}
    >
      <RoleFields orgId={orgId} form={form} />
    </FormDialog>
  );
}
