import { CreateNamedDialog } from '../create-named-dialog.js';
import { useCreateEntitlement } from './entitlements.queries.js';

export function CreateEntitlementDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  return (
    <CreateNamedDialog
      projectId={projectId}
      title="New entitlement"
      keyHint="Your app uses this key to check access. Cannot be changed later."
      nameHint="Shown in this dashboard only."
      operation="POST /v2/projects/{project_id}/entitlements"
      create={useCreateEntitlement(projectId)}
      onClose={onClose}
      onCreated={onClose}
    />
  );
}
