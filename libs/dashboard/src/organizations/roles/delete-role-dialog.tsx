import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CustomRole } from '../../api/enterprise.types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { withAccount } from '../organizations.queries.js';
import { roleQuery, useDeleteRole } from './roles.queries.js';
import { text } from './roles.text.js';

interface DeleteRoleDialogProps {
  orgId: string;
  role: CustomRole;
  onClose: () => void;
}

export function DeleteRoleDialog({ orgId, role, onClose }: DeleteRoleDialogProps) {
  const remove = useDeleteRole(orgId, role.id);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const name = visibleText(role.name);
  const leave = async () => {
    await navigate({ to: '/organizations/$orgId/roles', params: { orgId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: roleQuery(orgId, role.id).queryKey });
    for (const queryKey of withAccount(orgId)()) void queries.invalidateQueries({ queryKey });
    toast({ title: text.deleted(name) });
  };
  return (
    <ConfirmDialog
      open
      danger
      title={text.deleteTitle(name)}
      confirmLabel={text.delete}
      busy={remove.isPending || remove.isSuccess}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void leave() })}
    >
      <p className="mb-3">{text.deleteEffect(role.member_count)}</p>
      <ShowCall
        operation="DELETE /v2/organizations/{org_id}/roles/{role_id}"
        path={{ org_id: orgId, role_id: role.id }}
      />
    </ConfirmDialog>
  );
}
