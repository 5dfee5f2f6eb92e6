import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SsoConnection } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
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
  const name = visibleText(connection.name);
  const leave = async () => {
    await navigate({ to: '/organizations/$orgId/sso', params: { orgId }, ignoreBlocker: true });
    queries.removeQueries({ queryKey: connectionQuery(orgId, connection.id).queryKey });
    void queries.invalidateQueries({ queryKey: organizationKey(orgId) });
  };
  return (
    <ConfirmCall
      danger
      title={`Delete ${name}?`}
      effect="Sessions started with it end at once."
      confirmLabel="Delete connection"
      write={remove}
      input={undefined}
      done={`Deleted ${name}`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/sso/connections/{connection_id}',
        path: { org_id: orgId, connection_id: connection.id },
      }}
      onClose={onClose}
      onDone={leave}
    />
  );
}
