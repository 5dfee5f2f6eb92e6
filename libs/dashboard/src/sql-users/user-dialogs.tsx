import { ConfirmCall } from '../frame/forms/confirm-call.js';
import { visibleText } from '../ui/text/visible-text.js';
import { ConnectionDialog } from './connection-dialog.js';
import { type SqlUser, useDeleteSqlUser, useRotateSqlUser } from './sql-users.queries.js';

interface UserDialogProps {
  projectId: string;
  user: SqlUser;
  onClose: () => void;
}

/** Replaces the password, and shows the new connection string once. */
export function RotateDialog({ projectId, user, onClose }: UserDialogProps) {
  const rotate = useRotateSqlUser(projectId);
  if (rotate.data) return <ConnectionDialog user={rotate.data} onClose={onClose} />;
  return (
    <ConfirmCall
      title={`Replace the password of ${visibleText(user.name)}?`}
      effect={<p>The current password stops working, and open connections end at once.</p>}
      confirmLabel="Replace"
      write={rotate}
      input={user}
      call={{
        operation: 'POST /v2/projects/{project_id}/sql_users/{sql_user_id}/actions/rotate',
        path: { project_id: projectId, sql_user_id: user.id },
      }}
      onClose={onClose}
      // The result takes the place of this dialog.
      onDone={() => undefined}
    />
  );
}

export function DeleteDialog({ projectId, user, onClose }: UserDialogProps) {
  return (
    <ConfirmCall
      danger
      title="Delete this SQL user?"
      effect={<p>Open connections end at once.</p>}
      confirmLabel="Delete"
      write={useDeleteSqlUser(projectId)}
      input={user}
      done={`Deleted ${visibleText(user.name)}`}
      call={{
        operation: 'DELETE /v2/projects/{project_id}/sql_users/{sql_user_id}',
        path: { project_id: projectId, sql_user_id: user.id },
      }}
      onClose={onClose}
    />
  );
}
