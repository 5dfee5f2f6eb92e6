import { CreateNamedDialog } from '../create-named-dialog.js';
import { useCreateEntitlement } from './entitlements.queries.js';
import { text } from './entitlements.text.js';

export function CreateEntitlementDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  return (
    <CreateNamedDialog
      projectId={projectId}
      title={text.create}
      keyHint={text.keyHint}
      nameHint={text.nameHint}
      operation="POST /v2/projects/{project_id}/entitlements"
      create={useCreateEntitlement(projectId)}
      onClose={onClose}
      onCreated={onClose}
    />
  );
}
