import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CustomRole } from '../../api/enterprise.types.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { withAccount } from '../organizations.queries.js';
import { roleQuery, useDeleteRole } from './roles.queries.js';

interface DeleteRoleDialogProps {
  orgId: string;
  role: CustomRole;
  onClose: () => void;
}

export function DeleteRoleDialog({ orgId, role, onClose }: DeleteRoleDialogProps) {
  const remove = useDeleteRole(orgId, role.id);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(role.name);
  const leave = async () => {
    await navigate({ to: '/organizations/$orgId/roles', params: { orgId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: roleQuery(orgId, role.id).queryKey });
    for (const queryKey of withAccount(orgId)()) void queries.invalidateQueries({ queryKey });
  };
  return (
    <ConfirmCall
      danger
      title={`Delete ${name}?`}
      effect={
        role.member_count === 0
          ? 'No one has it. Group mappings with it are deleted.'
          : `${role.member_count === 1 ? 'One person becomes' : `${role.member_count} people become`} Viewer, and group mappings with it are deleted.`
      }
      confirmLabel="Delete role"
      write={remove}
      input={undefined}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/roles/{role_id}',
        path: { org_id: orgId, role_id: role.id },
      }}
      onClose={onClose}
      onDone={leave}
    />
  );
}
