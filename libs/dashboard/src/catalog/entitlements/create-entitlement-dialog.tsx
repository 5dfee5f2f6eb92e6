import { CreateNamedDialog } from '../create-named-dialog.js';
import { useCreateEntitlement } from './entitlements.queries.js';

export function CreateEntitlementDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  return (
    <CreateNamedDialog
      projectId={projectId}
      title="New entitlement"
      keyHint="Your app asks for the entitlement by it. It cannot be changed later."
      nameHint="For people who read this dashboard."
      operation="POST /v2/projects/{project_id}/entitlements"
      create={useCreateEntitlement(projectId)}
      onClose={onClose}
      onCreated={onClose}
    />
  );
}
