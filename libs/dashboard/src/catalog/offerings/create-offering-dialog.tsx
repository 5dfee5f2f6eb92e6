import { CreateNamedDialog } from '../create-named-dialog.js';
import { useCreateOffering } from './offerings.queries.js';

interface CreateOfferingDialogProps {
  projectId: string;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function CreateOfferingDialog({ projectId, ...handlers }: CreateOfferingDialogProps) {
  return (
    <CreateNamedDialog
      projectId={projectId}
      title="New offering"
      keyHint="Your app can fetch the offering by this key. Cannot be changed later."
      nameHint="SDKs get it as the description."
      operation="POST /v2/projects/{project_id}/offerings"
      create={useCreateOffering(projectId)}
      {...handlers}
    />
  );
}
