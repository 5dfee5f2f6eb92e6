import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SsoConnection } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { connectionQuery, useDeleteConnection } from './sso.queries.js';

interface DeleteConnectionDialogProps {
  orgId: string;
  connection: SsoConnection;
  onClose: () => void;
}

export function DeleteConnectionDialog({ orgId, connection, onClose }: DeleteConnectionDialogProps) {
  const remove = useDeleteConnection(orgId, connection.id);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const name = visibleText(connection.name);
  const leave = async () => {
    await navigate({ to: '/organizations/$orgId/sso', params: { orgId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: connectionQuery(orgId, connection.id).queryKey });
    void queries.invalidateQueries({ queryKey: organizationKey(orgId) });
    toast({ title: `Deleted ${name}` });
  };
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${name}?`}
      confirmLabel="Delete connection"
      busy={remove.isPending || remove.isSuccess}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void leave() })}
    >
      <p className="mb-3">Sessions that began with it end at once.</p>
      <ShowCall
        operation="DELETE /v2/organizations/{org_id}/sso/connections/{connection_id}"
        path={{ org_id: orgId, connection_id: connection.id }}
      />
    </ConfirmDialog>
  );
}
