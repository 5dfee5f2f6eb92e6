import type { Schema } from '../api/types.js';
import { SecretOnceDialog } from '../frame/forms/secret-once-dialog.js';
import { Notice } from '../ui/notice.js';
import { DataText } from '../ui/text/data-text.js';

interface ConnectionDialogProps {
  user: Schema<'SqlUserWithPasswordDto'>;
  onClose: () => void;
}

/** The connection string of a new password. */
export function ConnectionDialog({ user, onClose }: ConnectionDialogProps) {
  return (
    <SecretOnceDialog
      title="Connection string"
      note="Copy this connection string now. The password is not shown again."
      label="Connection string"
      secret={user.connection_url}
      onClose={onClose}
    >
      {user.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <DataText>{warning}</DataText>
        </Notice>
      ))}
    </SecretOnceDialog>
  );
}
